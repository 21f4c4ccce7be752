import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { listOf } from '../../../capabilities/atoms/gate-module.ts';
import { SCRATCH_PATTERNS } from '../../../capabilities/atoms/scratch-files.ts';
import { matchesAnyCase, matchesPath, mayHold, meansAll } from '../../../capabilities/paths/patterns.ts';
import type { GivenValues } from '../../../schema/capability/parameters.ts';
import type { ResolvedRole } from '../../../schema/capability/resolved-role.ts';
import { orNull } from '../../../schema/or-null.ts';
import { readPathPattern } from '../../../schema/path-grammar.ts';

/** The lists of a task that the operating system holds. */
export interface FileLists {
  /** `files-whitelist` and `ssot-patterns`; null for a role without `scope::files-whitelist`. */
  readonly listed: readonly string[] | null;
  /** `files-denylist`. */
  readonly denied: readonly string[];
}

export interface TreeEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link';
}

/** Reads a folder of a worktree by its relative path; `''` is the top. */
type ReadFolder = (folder: string) => readonly TreeEntry[];

/** The binds that hold the lists in a worktree, and the gaps that they leave. */
export interface WhitelistBinds {
  /** One bind a path, relative to the worktree, a folder before its entries; `''` is the whole worktree. */
  readonly binds: readonly { readonly path: string; readonly isWritable: boolean }[];
  readonly missing: readonly string[];
}

/** A folder with more entries that are not listed is bound as a whole. */
const MOST_ENTRIES = 200;
/** Each is a mount. */
const MOST_BINDS = 500;
/** Further folders are not read. */
const MOST_READ = 20_000;

/** The lists that a task gives the atoms of a role. */
export function fileLists({ gates }: Pick<ResolvedRole, 'gates'>, task: GivenValues): FileLists {
  const [white, deny] = ['scope::files-whitelist', 'scope::files-denylist'].map((atom) =>
    gates.find((it) => it.atom === atom),
  );
  const listed = white && listOf('files-whitelist', white, task);
  const shared = white && listed?.length !== 0 ? listOf('ssot-patterns', white, task) : [];
  return { listed: listed ? [...listed, ...shared] : null, denied: deny ? listOf('files-denylist', deny, task) : [] };
}

/**
 * The binds that leave only listed files and those of builds writable among the existing files of a worktree. A folder
 * on the way to a listed file stays open for new names, which the check judges. It is a mount of its own if something
 * in it is read-only: otherwise it could be moved away with that.
 */
export function whitelistBinds({ listed, denied }: FileLists, read: ReadFolder): WhitelistBinds {
  const why = unheld(listed);
  if (listed === null || why !== null) {
    return { binds: [], missing: [`existing files of the worktree stay writable: ${why ?? ''}`] };
  }
  // of a folder both mean all that is in it
  const lists = { listed, folders: listed.map((it) => it.replace(/\/\*\*\/\*$/, '/**')), denied };
  const binds = new Map<string, boolean>();
  const gaps = { open: [] as string[], closed: [] as string[], left: [] as string[] };
  const waiting: Folder[] = [{ path: '', isFree: false }];
  let count = 0;
  for (const folder of waiting) {
    const parts = partsOf(folder, count > MOST_READ ? [] : read(folder.path), lists);
    const way = count > MOST_READ ? 'left' : bindParts(folder.path, parts, binds);
    count += parts.length;
    if (way === 'open') gaps.open.push(...parts.flatMap((it) => (it.isFixed && !it.isMountable ? [it.path] : [])));
    else gaps[way].push(folder.path);
    waiting.push(...parts.filter((it) => it.isMixed));
  }
  const sorted = [...binds].sort(([one], [other]) => (one < other ? -1 : 1));
  return { binds: sorted.map(([path, isWritable]) => ({ path, isWritable })), missing: gapsOf(gaps) };
}

function unheld(listed: FileLists['listed']): string | null {
  if (listed === null) return 'the role has no scope::files-whitelist';
  if (listed.length === 0) return 'the task lists no files';
  const rootless = listed.find((it) => {
    const ways = readPathPattern(it);
    return typeof ways !== 'string' && ways.some(({ names }) => names[0] === '**');
  });
  return rootless === undefined ? null : `${rootless} may mean files of every folder`;
}

interface Folder {
  readonly path: string;
  /** Whether everything in it may be written that is not denied. */
  readonly isFree: boolean;
}

/** An entry of a folder; a mixed one is a folder in which some entries are fixed and others are not. */
interface Part extends Folder {
  readonly isFixed: boolean;
  readonly isMixed: boolean;
  /** A mount follows a link, and its path is UTF-8. */
  readonly isMountable: boolean;
}

type Lists = Readonly<Record<'denied' | 'folders' | 'listed', readonly string[]>>;

function partsOf(folder: Folder, entries: readonly TreeEntry[], { listed, folders, denied }: Lists): Part[] {
  return entries.map(({ name, kind }) => {
    const path = folder.path === '' ? name : `${folder.path}/${name}`;
    const isFolder = kind === 'folder';
    const isDenied = isFolder ? meansAll(path, denied, 'folded') : matchesAnyCase(path, denied);
    const isMeant = isFolder
      ? [folders, SCRATCH_PATTERNS].some((it) => meansAll(path, it, 'exact'))
      : [listed, SCRATCH_PATTERNS].some((it) => matchesPath(path, it));
    const isFree = !isDenied && (folder.isFree || isMeant);
    const isMixed = isFolder && !isDenied && mayHold(path, isFree ? denied : listed);
    const isMountable = kind !== 'link' && !name.includes('\uFFFD');
    return { path, isFree, isMixed, isFixed: !isFree && !isMixed, isMountable };
  });
}

/** Adds the binds of a folder: of each fixed entry, or of all of it and the others; none if they are too many. */
function bindParts(folder: string, parts: readonly Part[], binds: Map<string, boolean>): 'closed' | 'left' | 'open' {
  const mountable = parts.filter((it) => it.isMountable);
  const isOpen = mountable.filter((it) => it.isFixed).length <= MOST_ENTRIES;
  const own = mountable.flatMap((it) => (it.isFixed === isOpen ? [[it.path, !isOpen] as const] : []));
  if (!isOpen) own.unshift([folder, false]);
  if (binds.size + own.length > MOST_BINDS) return 'left';
  for (const [path, isWritable] of own) binds.set(path, isWritable);
  const names = own.length === 0 ? [] : folder.split('/');
  const around = names.map((_, at) => names.slice(0, at + 1).join('/'));
  for (const it of around) if (it !== '' && !binds.has(it)) binds.set(it, true);
  return isOpen ? 'open' : 'closed';
}

const MOST_NAMED = 5;

function gapsOf({ open, closed, left }: Readonly<Record<'closed' | 'left' | 'open', readonly string[]>>): string[] {
  const told = (paths: readonly string[], gap: string) => {
    const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
    const named = paths.slice(0, MOST_NAMED).map((it) => JSON.stringify(it === '' ? '.' : it));
    return paths.length === 0 ? [] : [`${named.join(', ')}${more}: ${gap}`];
  };
  return [
    ...told(closed, `no file can be made or replaced: over ${MOST_ENTRIES} entries there are not listed`),
    ...told(left, 'what is not listed there stays writable: it needs too many mounts'),
    ...told(open, 'can be replaced: neither a link nor a name that is not UTF-8 can be mounted'),
  ];
}

/** Reads the folders of a worktree; one that is gone has no entries. */
export function foldersOf(worktree: string): ReadFolder {
  const kindOf = (it: Dirent) => (it.isSymbolicLink() ? 'link' : it.isDirectory() ? 'folder' : 'file');
  return (folder) => {
    const entries = orNull(() => readdirSync(join(worktree, folder), { withFileTypes: true })) ?? [];
    return entries.map((it) => ({ name: it.name, kind: kindOf(it) }));
  };
}
