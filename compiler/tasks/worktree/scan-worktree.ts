import { readdirSync, type Dirent } from 'node:fs';
import type { SnapshotRefusal } from '../schema/snapshot.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import { bytesOf, shownPath, type RawPath, type Tracked } from './raw-path.ts';

/** The entries of a worktree, by path; none of them was opened. */
export interface Scanned {
  readonly files: ReadonlyMap<RawPath, 'file' | 'link'>;
  /** Submodules of the commit that are still folders; their content is not read. */
  readonly submodules: ReadonlySet<RawPath>;
  readonly refusals: readonly SnapshotRefusal[];
  /** Pipes, sockets and devices. */
  readonly special: readonly RawPath[];
}

const MOST_FILES = 250_000;
/** A report names each of them. */
const MOST_SPECIAL = 1_000;
/** The rules are asked once for each level of new folders. */
const DEEPEST = 100;

const SUBMODULE = '160000';

/**
 * Lists the files of a worktree: those that the commit has, and new ones that its rules do not ignore. Links are not
 * followed. A folder with a `.git` of its own is refused, wherever it lies and whatever hides it: its files would be in
 * no commit.
 *
 * @param top raw path of the worktree
 */
export async function scanWorktree(
  top: RawPath,
  tracked: ReadonlyMap<RawPath, Tracked>,
  ignored: IgnoreRules,
): Promise<Scanned> {
  const scan = new Scan(top, tracked);
  scan.addTracked();
  for (let depth = 0; scan.fresh.length > 0 && !scan.isFull(); depth++) {
    if (depth === DEEPEST) {
      scan.refuse(scan.fresh[0] ?? '', 'depth');
      break;
    }
    const asked = scan.fresh.splice(0);
    const hidden = await ignored(asked);
    for (const it of asked) if (!hidden.has(it)) scan.addFresh(it);
  }
  // paths that were not looked at would pass for removed
  if (scan.isFull()) scan.refuse(scan.fresh[0] ?? '.', 'too_many_files');
  return scan;
}

class Scan implements Scanned {
  readonly files = new Map<RawPath, 'file' | 'link'>();
  readonly submodules = new Set<RawPath>();
  readonly refusals: SnapshotRefusal[] = [];
  readonly special: RawPath[] = [];
  /** Paths that the commit does not have and that were not looked into yet; folders end with a slash. */
  readonly fresh: string[] = [];
  readonly #kinds = new Map<RawPath, 'file' | 'link'>();
  readonly #top: RawPath;
  readonly #tracked: ReadonlyMap<RawPath, Tracked>;
  readonly #folders: ReadonlySet<RawPath>;

  constructor(top: RawPath, tracked: ReadonlyMap<RawPath, Tracked>) {
    this.#top = top;
    this.#tracked = tracked;
    this.#folders = foldersOf(tracked);
  }

  isFull(): boolean {
    return this.files.size + this.fresh.length > MOST_FILES || this.special.length > MOST_SPECIAL;
  }

  refuse(path: RawPath, rule: SnapshotRefusal['rule']): void {
    this.refusals.push({ path: shownPath(path), rule });
  }

  /** Every folder that the commit has. */
  addTracked(): void {
    const waiting = [''];
    for (let folder = waiting.pop(); folder !== undefined && !this.isFull(); folder = waiting.pop()) {
      for (const entry of this.#entriesIn(folder)) {
        const path = folder + entry.name;
        const isFolder = entry.isDirectory();
        if (isFolder && this.#folders.has(path)) waiting.push(`${path}/`);
        else if (isFolder && this.#tracked.get(path)?.mode === SUBMODULE) this.submodules.add(path);
        else this.#sort(path, entry);
      }
    }
  }

  /** Adds a new file, or the files of a new folder. */
  addFresh(path: RawPath): void {
    const kind = this.#kinds.get(path);
    if (kind !== undefined) this.files.set(path, kind);
    else for (const entry of this.#entriesIn(path)) this.#sort(path + entry.name, entry);
  }

  #sort(path: RawPath, entry: Dirent): void {
    if (entry.isDirectory()) this.fresh.push(`${path}/`);
    else if (!entry.isFile() && !entry.isSymbolicLink()) this.special.push(path);
    else {
      const kind = entry.isFile() ? 'file' : 'link';
      if (this.#tracked.has(path)) this.files.set(path, kind);
      else {
        this.#kinds.set(path, kind);
        this.fresh.push(path);
      }
    }
  }

  /** The entries of a folder but `.git`; none of one that is a repository of its own. */
  #entriesIn(folder: RawPath): Dirent[] {
    let entries: Dirent[];
    try {
      entries = readdirSync(bytesOf(`${this.#top}/${folder}`), { withFileTypes: true, encoding: 'latin1' });
    } catch {
      this.refuse(folder, 'unreadable');
      return [];
    }
    const others = entries.filter(({ name }) => name !== '.git');
    if (folder === '' || others.length === entries.length) return others;
    this.refuse(folder, 'nested_repository');
    return this.#folders.has(folder.slice(0, -1)) ? others : [];
  }
}

/** Every folder that holds a tracked file, at any depth. */
function foldersOf(tracked: ReadonlyMap<RawPath, Tracked>): Set<RawPath> {
  const folders = new Set<RawPath>();
  for (const path of tracked.keys()) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
