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
export type ReadFolder = (folder: string) => readonly TreeEntry[];

/** What holds the lists in a worktree. */
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
  if (why !== null) return { binds: [], missing: [`existing files of the worktree stay writable: ${why}`] };
  const lists = listsFor(listed ?? [], denied);
  const found = new FoundBinds();
  const waiting: Folder[] = [{ path: '', isFree: false }];
  let count = 0;
  for (const folder of waiting) {
    const entries = count > MOST_READ ? [] : read(folder.path);
    if (count > MOST_READ) found.left.push(folder.path);
    count += entries.length;
    const parts = partsOf(folder, entries, lists);
    found.add(folder.path, parts);
    waiting.push(...parts.entered);
  }
  return { binds: found.binds, missing: found.missing };
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

interface Parts {
  readonly fixed: readonly string[];
  readonly kept: readonly string[];
  /** Entries that would be fixed, and that no mount can name. */
  readonly unnamed: readonly string[];
  /** Folders in which some entries are fixed, and others are not. */
  readonly entered: readonly Folder[];
}

function partsOf(folder: Folder, entries: readonly TreeEntry[], lists: Lists): Parts {
  const parts = { fixed: [] as string[], kept: [] as string[], unnamed: [] as string[], entered: [] as Folder[] };
  for (const { name, kind } of entries) {
    const path = folder.path === '' ? name : `${folder.path}/${name}`;
    const fate = fateOf(path, kind === 'folder', folder.isFree, lists);
    // a mount follows a link, and its path is UTF-8
    const isNamed = kind !== 'link' && !name.includes('\uFFFD');
    if (fate === 'fixed') parts[isNamed ? 'fixed' : 'unnamed'].push(path);
    else if (isNamed) parts.kept.push(path);
    if (fate === 'mixed' || fate === 'partly denied') parts.entered.push({ path, isFree: fate === 'partly denied' });
  }
  return parts;
}

type Lists = ReturnType<typeof listsFor>;

function listsFor(listed: readonly string[], denied: readonly string[]) {
  // of a folder both mean all that is in it
  const folders = listed.map((it) => it.replace(/\/\*\*\/\*$/, '/**'));
  return { listed, folders, denied };
}

function fateOf(path: string, isFolder: boolean, isFree: boolean, { listed, folders, denied }: Lists) {
  if (isFolder ? meansAll(path, denied, 'folded') : matchesAnyCase(path, denied)) return 'fixed';
  const isMeant = isFolder
    ? [folders, SCRATCH_PATTERNS].some((it) => meansAll(path, it, 'exact'))
    : [listed, SCRATCH_PATTERNS].some((it) => matchesPath(path, it));
  if (isFree || isMeant) return isFolder && mayHold(path, denied) ? 'partly denied' : 'free';
  return isFolder && mayHold(path, listed) ? 'mixed' : 'fixed';
}

class FoundBinds {
  readonly left: string[] = [];
  readonly #writable = new Map<string, boolean>();
  readonly #closed: string[] = [];
  readonly #unnamed: string[] = [];

  get binds(): WhitelistBinds['binds'] {
    const sorted = [...this.#writable].sort(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([path, isWritable]) => ({ path, isWritable }));
  }

  get missing(): string[] {
    return [
      ...named(this.#closed, `no file can be made or replaced: over ${MOST_ENTRIES} entries there are not listed`),
      ...named(this.left, 'what is not listed there stays writable: it needs too many mounts'),
      ...named(this.#unnamed, 'can be replaced: neither a link nor a name that is not UTF-8 can be mounted'),
    ];
  }

  add(folder: string, { fixed, kept, unnamed }: Parts): void {
    const isOpen = fixed.length <= MOST_ENTRIES;
    const own = [...(isOpen ? fixed : [folder]).map((it) => [it, false] as const)];
    const all = isOpen ? own : [...own, ...kept.map((it) => [it, true] as const)];
    if (this.#writable.size + all.length > MOST_BINDS) this.left.push(folder);
    else {
      for (const [path, isWritable] of all) this.#writable.set(path, isWritable);
      if (all.length > 0) this.#fasten(folder);
      if (isOpen) this.#unnamed.push(...unnamed);
      else this.#closed.push(folder);
    }
  }

  /** Makes a folder and those around it mounts. */
  #fasten(folder: string): void {
    const names = folder.split('/');
    const around = names.map((_, at) => names.slice(0, at + 1).join('/'));
    for (const it of around) if (it !== '' && !this.#writable.has(it)) this.#writable.set(it, true);
  }
}

const MOST_NAMED = 5;

function named(paths: readonly string[], gap: string): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
  return [
    `${paths
      .slice(0, MOST_NAMED)
      .map((it) => JSON.stringify(it === '' ? '.' : it))
      .join(', ')}${more}: ${gap}`,
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
