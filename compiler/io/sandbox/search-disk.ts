import { accessSync, constants, lstatSync, readdirSync, readFileSync, type Dirent, type Stats } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { isInside } from '../git/git-process.ts';

/** A search for what a reader may use to act on other programs: no read-only mount prevents that. */
export interface DiskSearch {
  /** Sockets, named pipes and devices, and folders that other accounts write: all of them have to be hidden. */
  readonly found: readonly string[];
  /** Named folders and parts of the system that were not searched to their end. */
  readonly unsearched: readonly string[];
}

/** Folders of `/` with the programs of the machine, and with the rest of the system. */
const PROGRAMS = ['bin', 'gnu', 'lib', 'lib32', 'lib64', 'libx32', 'nix', 'opt', 'sbin', 'snap', 'usr'].map(top);
const SYSTEM = [...PROGRAMS, ...['dev', 'etc', 'proc', 'run', 'sys', 'var'].map(top)];

function top(name: string): string {
  return sep + name;
}

/** Folders of the system that services and administrators write; packages fill the others, as root. */
const SEARCHED = ['/etc', '/opt', '/usr/local', '/var'];

/** The folders of `/` that are no part of the system. */
export function topsBesideSystem(): string[] {
  const folders = readdirSync(sep, { withFileTypes: true }).filter((it) => it.isDirectory());
  return folders.map((it) => top(it.name)).filter((it) => !SYSTEM.includes(it));
}

/** Whether a folder is one of the system's, with programs. */
export function hasSystemPrograms(folder: string): boolean {
  return PROGRAMS.some((it) => isInside(folder, it));
}

const MOST_MS = 1000;
/** Tools have many folders, which nobody but their installers writes. */
const TOOLS_MS = 200;
/** Each needs a mount. */
const MOST_FOUND = 1000;

/**
 * Searches what a command sees, for at most a second. Links are not followed.
 *
 * @param readable folders that have to be seen, whoever writes them
 * @param hidden folders that are hidden; only a named one in them is searched
 */
export function searchDisk(
  { readable, tools }: { readonly readable: readonly string[]; readonly tools: readonly string[] },
  hidden: readonly string[],
  system: readonly string[] = SEARCHED,
): DiskSearch {
  const search = new Search(hidden);
  const end = performance.now() + MOST_MS;
  search.look(readable, end, () => false);
  search.look(system, end, (it) => isOfEverybody(it) || (isInside(it, '/var') && isOfOthers(it)));
  search.look(tools, Math.min(end, performance.now() + TOOLS_MS), () => false);
  return search;
}

class Search implements DiskSearch {
  readonly found: string[] = [];
  readonly #unsearched = new Set<string>();
  /** Folders that are not searched again. */
  readonly #known: Set<string>;

  constructor(hidden: readonly string[]) {
    this.#known = new Set(hidden);
  }

  get unsearched(): string[] {
    return [...this.#unsearched].sort();
  }

  /** Level by level: if the time is over, the deepest folders are left. */
  look(roots: readonly string[], end: number, isForeign: (folder: string) => boolean): void {
    const waiting = roots.map((root) => ({ folder: root, root }));
    for (const { folder, root } of waiting) {
      if (this.found.length > MOST_FOUND || performance.now() > end) this.#unsearched.add(root);
      else
        for (const it of this.#entriesOf(folder, root)) {
          const path = join(folder, it.name);
          // a name that is not UTF-8 cannot be named in a mount
          if (it.name.includes('\uFFFD')) this.#unsearched.add(root);
          else if (it.isDirectory() && !isForeign(path)) waiting.push({ folder: path, root });
          else this.found.push(path);
        }
    }
  }

  /** The folders and special files in a folder. */
  #entriesOf(folder: string, root: string): Dirent[] {
    if (this.#known.has(folder)) return [];
    this.#known.add(folder);
    const entries = orNull(() => readdirSync(folder, { withFileTypes: true }));
    if (entries !== null) return entries.filter((it) => !it.isFile() && !it.isSymbolicLink());
    // a folder that cannot be listed may be entered by name
    if (isEnterable(folder) && folder === root) this.#unsearched.add(root);
    else if (isEnterable(folder)) this.found.push(folder);
    return [];
  }
}

function isEnterable(folder: string): boolean {
  return orNull(() => (accessSync(folder, constants.X_OK), lstatSync(folder).isDirectory())) ?? false;
}

function isOfEverybody(folder: string): boolean {
  return ((orNull(() => lstatSync(folder))?.mode ?? 0) & 0o002) !== 0;
}

/** Whether a certain account besides root and this one writes a folder. A user's first group is taken for their own. */
function isOfOthers(folder: string): boolean {
  const stat = orNull(() => lstatSync(folder));
  if (stat === null) return false;
  const isOwn = [0, process.getuid?.()].includes(stat.uid);
  const isOwnGroup = [0, process.getgid?.()].includes(stat.gid);
  return !isOwn || ((stat.mode & 0o020) !== 0 && !isOwnGroup);
}

/**
 * Sockets of the file system to which programs of this machine listen. Whoever connects to one acts through its
 * program, and neither a read-only mount nor a network of one's own prevents that.
 */
export function boundSockets(): string[] {
  const text = orNull(() => readFileSync('/proc/net/unix', 'utf8')) ?? '';
  // a folder of another account may be closed
  return pathsIn(text).filter((it) => orNull(() => lstatSync(it))?.isSocket() === true);
}

/** Absolute paths of a text of `/proc/net/unix` (proc(5)): what follows the seventh column. */
export function pathsIn(text: string): string[] {
  const paths = text.split('\n').flatMap((line) => /^(?:\S+\s+){6}\d+ (.+)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)].filter((it) => isAbsolute(it));
}

/** Keys and passwords of the system lie so deep below its settings. */
const SETTINGS_DEPTH = 2;

/**
 * Files and folders of the system's settings that not everybody may read: password hashes, keys of servers and
 * certificates. A person who is root could read them, and so could what is confined.
 */
export function privateSettings(folder = '/etc', depth = SETTINGS_DEPTH): string[] {
  const names = orNull(() => readdirSync(folder)) ?? [];
  return names.flatMap((name) => {
    const path = join(folder, name);
    const stat = orNull(() => lstatSync(path));
    if (stat === null || !(stat.isFile() || stat.isDirectory())) return [];
    if (!isOpen(stat)) return [path];
    return stat.isDirectory() && depth > 1 ? privateSettings(path, depth - 1) : [];
  });
}

function isOpen(stat: Stats): boolean {
  return (stat.mode & 0o004) !== 0;
}
