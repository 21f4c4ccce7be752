import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../../io/files/file.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { UNKNOWN, type GitState } from '../schema/git-state.ts';

/** Names in a folder of git that git, or a tool of the user, runs or obeys; folders with everything in them. */
const OBEYED = [
  'HEAD',
  'branches',
  'commondir',
  'config',
  'config.worktree',
  'gitdir',
  'hooks',
  'info',
  'locked',
  'objects/info/alternates',
  // git takes parents, trees and places of objects from these without reading the objects
  'objects/info/commit-graph',
  'objects/info/commit-graphs',
  'objects/info/http-alternates',
  'objects/pack/multi-pack-index',
  'objects/pack/multi-pack-index.d',
  'refs',
  'reftable',
  'remotes',
  // that it exists turns the reuse of resolutions on
  'rr-cache',
  'shallow',
];
/**
 * Names that a merge, a rebase or a bisection leaves while it lasts. `ORIG_HEAD` and `FETCH_HEAD` only record the past.
 */
const UNDERWAY = [
  'BISECT_LOG',
  'CHERRY_PICK_HEAD',
  'MERGE_HEAD',
  'REVERT_HEAD',
  'rebase-apply',
  'rebase-merge',
  'sequencer',
];
/** Files with which the seals of plans and bindings are verified. */
const PINS = ['vade/orchestrator.pem', 'vade/trust-root.json'];
/** Names that git and other programs store, cache or note here, and that no program obeys. */
const LEFT =
  /^(?:annex|description|fsmonitor--daemon.*|gc\.(?:log|pid)|index|lfs|logs|objects|packed-refs|sharedindex\..*|svn|vade|[A-Z]+(?:_[A-Z]+)+|.*\.lock)$/;
/** Folders that hold the git folders of submodules and linked worktrees. */
const NESTED = ['modules', 'worktrees'];

const MOST_ENTRIES = 200_000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_REF_BYTES = 4096;

/**
 * Reads the state of a repository without running git, so that nothing of it is obeyed: of its common folder, and of
 * every folder of git below it. Packed references and loose ones are one: packing them changes nothing. Links are not
 * followed and nothing but regular files is opened.
 *
 * @param common the folder that all worktrees share
 * @throws repository_unreadable if it is too large, or cannot be read
 */
export function readGitState(common: string): GitState {
  const entries = new Map<string, string>();
  try {
    for (const name of PINS) addAll(common, name, entries);
    addFolders(common, entries);
  } catch (error) {
    throw new VadeError('repository_unreadable', `the state of ${common} cannot be read: ${messageOf(error)}`);
  }
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return { format: 1, entries: Object.fromEntries(sorted) };
}

/** Looks through every folder that may be one of git: a submodule's has its name, with slashes, and may hold others. */
function addFolders(common: string, entries: Map<string, string>): void {
  const waiting = [''];
  let seen = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const isOfGit = isFolderOfGit(common, at);
    if (isOfGit) addFolder(common, at, entries);
    const known = isOfGit ? KNOWN : new Set<string>();
    for (const name of namesIn(join(common, at))) {
      if (known.has(name) || (isOfGit && LEFT.test(name))) continue;
      const path = at + name;
      const stat = lstatSync(join(common, path), { throwIfNoEntry: false });
      if (stat?.isDirectory()) waiting.push(`${path}/`);
      // git would follow it to a submodule's folder
      else if (stat?.isSymbolicLink()) entries.set(path, valueOf(join(common, path), false));
      if (isOfGit && stat && !NESTED.includes(name) && !entries.has(path)) entries.set(path, UNKNOWN);
    }
    seen += 1;
    if (seen + waiting.length + entries.size > MOST_ENTRIES)
      throw new Error(`it has more than ${MOST_ENTRIES} entries`);
  }
}

const KNOWN: ReadonlySet<string> = new Set([...OBEYED, ...UNDERWAY].map((it) => it.replace(/\/.*/, '')));

/** The common folder, that of a submodule or of a linked worktree; also one that somebody has only begun to make. */
function isFolderOfGit(common: string, at: string): boolean {
  const isThere = (name: string, isFolder: boolean) =>
    lstatSync(join(common, at, name), { throwIfNoEntry: false })?.isDirectory() === isFolder;
  return at === '' || isThere('HEAD', false) || isThere('config', false) || isThere('hooks', true);
}

function addFolder(common: string, at: string, entries: Map<string, string>): void {
  addPacked(common, at, entries);
  for (const it of [...OBEYED, ...UNDERWAY]) addAll(common, at + it, entries);
  // the file in the worktree that leads back here
  const [, pointed = ''] = /^text (.*)$/s.exec(entries.get(`${at}gitdir`) ?? '') ?? [];
  if (pointed.startsWith('/')) entries.set(`${at}.git`, valueOf(pointed, false));
}

/** Adds a file, or a folder with everything below it; nothing if neither is there. */
function addAll(common: string, path: string, entries: Map<string, string>): void {
  const waiting = [path];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const place = join(common, at);
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat?.isDirectory()) for (const name of namesIn(place)) waiting.push(`${at}/${name}`);
    // a half-written reference of another process is none yet
    else if (stat && !at.endsWith('.lock')) entries.set(at, valueOf(place, isText(at)));
    if (entries.size + waiting.length > MOST_ENTRIES) throw new Error(`it has more than ${MOST_ENTRIES} entries`);
  }
}

/** Whether a path is a reference, a head or a pointer: they are compared, and shown, as their text. */
function isText(path: string): boolean {
  return /(^|\/)(HEAD|[A-Z_]+_HEAD|gitdir|commondir)$|(^|\/)refs\//.test(path);
}

/** One line for the entry at a place; only a regular file is ever opened. */
function valueOf(place: string, asText: boolean): string {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (!stat) return 'missing';
  if (stat.isSymbolicLink()) return `link ${readlinkSync(place)}`;
  if (!stat.isFile()) return 'special';
  if (asText && stat.size <= MAX_REF_BYTES) return `text ${textOf(place)}`;
  const bytes = readIfThere(place, MAX_FILE_BYTES, 'refuse') ?? Buffer.alloc(0);
  const mode = (stat.mode & 0o111) === 0 ? '' : ' executable';
  return `sha256 ${createHash('sha256').update(bytes).digest('hex')}${mode}`;
}

function textOf(place: string): string {
  return (readIfThere(place, MAX_REF_BYTES, 'refuse') ?? Buffer.alloc(0)).toString('utf8').trim();
}

/** Packed references, which loose ones of the same name replace. */
function addPacked(common: string, at: string, entries: Map<string, string>): void {
  const text = readIfThere(join(common, at, 'packed-refs'), MAX_FILE_BYTES, 'refuse')?.toString('utf8') ?? '';
  for (const line of text.split('\n')) {
    const [, id, ref] = /^([0-9a-f]{40,64}) (refs\/.+)$/.exec(line) ?? [];
    if (id !== undefined && ref !== undefined) entries.set(at + ref, `text ${id}`);
    if (entries.size > MOST_ENTRIES) throw new Error(`it has more than ${MOST_ENTRIES} references`);
  }
}

function namesIn(place: string): string[] {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return [];
  return readdirSync(place);
}
