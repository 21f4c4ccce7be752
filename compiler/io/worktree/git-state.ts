import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import type { GitState } from '../../schema/task/git-state.ts';
import { readIfThere } from '../files/file.ts';

/** Folders and files of the common folder that decide how git behaves; folders with all that is in them. */
const COMMON = [
  'HEAD',
  'config',
  'config.worktree',
  'hooks',
  'info',
  'objects/info/alternates',
  'objects/info/http-alternates',
  'shallow',
  'reftable',
  'refs',
];
/** The same of each linked worktree's folder, `worktrees/<name>`. */
const LINKED = ['HEAD', 'gitdir', 'commondir', 'config.worktree', 'locked', 'info', 'refs'];
/** What a merge, a rebase or a bisection leaves while it lasts. `ORIG_HEAD` and `FETCH_HEAD` only record the past. */
const UNDERWAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'BISECT_LOG', 'rebase-merge', 'rebase-apply'];
/** What the seals of plans and bindings are proved with. */
const PINS = ['vade/orchestrator.pem', 'vade/trust-root.json'];

const MOST_ENTRIES = 200_000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_REF_BYTES = 4096;

/**
 * Reads the state of a repository without running git, so that nothing of it is obeyed. Packed references and loose ones
 * are one: packing them changes nothing. Links are not followed and nothing but regular files is opened.
 *
 * @param common the folder that all worktrees share
 * @throws repository_unreadable if it is too large, or cannot be read
 */
export function readGitState(common: string): GitState {
  const entries = new Map<string, string>();
  try {
    addPacked(common, entries);
    for (const name of [...COMMON, ...UNDERWAY, ...PINS]) addAll(common, name, entries);
    for (const name of namesIn(join(common, 'worktrees'))) addLinked(common, name, entries);
    for (const name of namesIn(join(common, 'modules'))) addModule(common, `modules/${name}`, entries);
  } catch (error) {
    throw new VadeError('repository_unreadable', `the state of ${common} cannot be read: ${messageOf(error)}`);
  }
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return { format: 1, entries: Object.fromEntries(sorted) };
}

function addLinked(common: string, name: string, entries: Map<string, string>): void {
  const own = `worktrees/${name}`;
  for (const it of [...LINKED, ...UNDERWAY]) addAll(common, `${own}/${it}`, entries);
  // the file in the worktree that leads back here
  const [, pointed = ''] = /^text (.*)$/s.exec(entries.get(`${own}/gitdir`) ?? '') ?? [];
  if (pointed.startsWith('/')) entries.set(`${own}/.git`, valueOf(pointed, false));
}

/** A submodule's own folder decides what git runs inside it. */
function addModule(common: string, path: string, entries: Map<string, string>): void {
  for (const it of ['HEAD', 'config', 'hooks', 'info', 'refs']) addAll(common, `${path}/${it}`, entries);
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

/** References, heads and pointers are compared, and shown, as what they say. */
function isText(path: string): boolean {
  return /(^|\/)(HEAD|[A-Z_]+_HEAD|gitdir|commondir)$|(^|\/)refs\//.test(path);
}

/** One line for what is at a place; only a regular file is ever opened. */
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
function addPacked(common: string, entries: Map<string, string>): void {
  const text = readIfThere(join(common, 'packed-refs'), MAX_FILE_BYTES, 'refuse')?.toString('utf8') ?? '';
  for (const line of text.split('\n')) {
    const [, id, ref] = /^([0-9a-f]{40,64}) (refs\/.+)$/.exec(line) ?? [];
    if (id !== undefined && ref !== undefined) entries.set(ref, `text ${id}`);
    if (entries.size > MOST_ENTRIES) throw new Error(`it has more than ${MOST_ENTRIES} references`);
  }
}

function namesIn(place: string): string[] {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return [];
  return readdirSync(place);
}
