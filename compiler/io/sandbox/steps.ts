import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { isInside } from '../git/git-process.ts';
import { homesOf, secretsOf, toolsFor } from './homes.ts';
import { boundSockets, privateSettings, searchDisk, topsBesideSystem } from './search-disk.ts';

/** The view of this machine that a confined command has. It can write only where its place allows it. */
export interface Confinement {
  /** Home of the person. Of it, and of the user's own where that is another, only tools are seen. */
  readonly home: string;
  /** Files and folders that are seen, read-only, though they lie in a folder that is hidden. */
  readonly readable: readonly string[];
  /** Files, sockets and folders that are hidden. */
  readonly hidden: readonly string[];
  /** An empty folder of the run, for the new root of the file system. */
  readonly point: string;
  readonly network: boolean;
}

/** Folder of a command, and the paths that it may write. */
export interface SandboxPlace {
  readonly cwd: string;
  readonly writable: readonly string[];
  /** Binds in the place of something else, or that are read-only though their folder is writable. */
  readonly over?: readonly Bind[];
}

/** A path that shows the file or folder `from`, which exists. */
export interface Bind {
  readonly path: string;
  readonly from: string;
  readonly isWritable: boolean;
}

/** One step on the way from the whole file system, read-only, to what a command sees; in the order of paths. */
export type Step =
  | ({ readonly kind: 'bind' } & Bind)
  | { readonly kind: 'empty' | 'scratch'; readonly path: string }
  | { readonly kind: 'blank'; readonly path: string };

/**
 * Sockets below `/run` let a writer act as the person, or as root. Of that folder, only the files that resolve names
 * are seen. In some images `/var/run` is no link to it.
 */
const RUN = ['/run', '/var/run'];
const SEEN_OF_RUN = [
  ...['systemd/resolve/stub-resolv.conf', 'systemd/resolve/resolv.conf', 'resolvconf/resolv.conf'],
  ...['NetworkManager/resolv.conf', 'current-system', 'opengl-driver'],
];

/** Folders of everybody: a command has its own. */
const SCRATCH = ['/tmp', '/var/tmp', '/dev/shm'];

/** The parts of the disk that a confinement shows and hides, as the disk is when it begins. */
export interface View {
  /** Files and folders that are seen wherever they lie. */
  readonly shown: readonly string[];
  readonly scratch: readonly string[];
  /** Folders of which only what is shown is seen. */
  readonly covered: readonly string[];
  /** Files, sockets and folders besides these. */
  readonly hidden: readonly string[];
  /** Folders that are seen, and may have sockets that are not hidden. */
  readonly unsearched: readonly string[];
}

/** Searches what is seen for at most a second. @param path PATH of the commands */
export function viewOf({ home, readable, hidden }: Confinement, path: string): View {
  const homes = homesOf(home);
  const named = [...secretsOf(homes), ...privateSettings(), ...hidden];
  const tools = toolsFor(path, homes);
  const scratch = scratchFolders();
  const covered = foldersOf([...topsBesideSystem(), ...homes, ...RUN]);
  const seen = { readable: foldersOf(readable), tools: foldersOf(tools) };
  const unseen = [...scratch, ...covered, ...foldersOf(hidden)].filter((it) => !seen.readable.includes(it));
  const search = searchDisk(seen, unseen);
  const shown = existing([...readable, ...tools, ...SEEN_OF_RUN.map((it) => join('/run', it))]);
  return { shown, scratch, covered, hidden: [...named, ...search.found], unsearched: search.unsearched };
}

/** The steps for one command. */
export function stepsFor(view: View, place: SandboxPlace): Step[] {
  const { shown } = view;
  // a link to a key is no key: the file that it leads to is hidden
  const named = [...view.hidden, ...foreignSockets(place)];
  const hidden = [...new Set(named.flatMap((it) => orNull(() => realpathSync(it)) ?? []))];
  const isOwn = (it: string) => shown.includes(it) || place.writable.includes(it);
  const scratch = view.scratch.filter((it) => !isOwn(it));
  const empty = foldersOf([...view.covered, ...hidden]).filter((it) => !isOwn(it) && !scratch.includes(it));
  const areas = [
    ...[...scratch, ...empty].map((it) => ({ path: it, isCover: true })),
    ...[...shown, ...place.writable].map((it) => ({ path: it, isCover: false })),
  ];
  const isSeen = (it: string) => nearest(it, areas)?.isCover !== true;
  const all: Step[] = [
    ...scratch.filter(isSeen).map((it) => ({ kind: 'scratch', path: it }) as const),
    ...empty.filter(isSeen).map((it) => ({ kind: 'empty', path: it }) as const),
    ...shown.filter((it) => !isSeen(it)).map((it) => bindOf(it, false)),
    ...place.writable.map((it) => bindOf(it, true)),
    ...(place.over ?? []).map((it) => ({ kind: 'bind', ...it }) as const),
    ...hidden.filter((it) => isFile(it) && isSeen(it)).map((it) => ({ kind: 'blank', path: it }) as const),
  ];
  return all.sort((one, other) => depthOf(one.path) - depthOf(other.path));
}

function foreignSockets({ writable }: SandboxPlace): string[] {
  return boundSockets().filter((it) => !writable.some((folder) => isInside(it, folder)));
}

/** The temporary folders that a command has for itself. */
export function scratchFolders(): string[] {
  return foldersOf([...SCRATCH, tmpdir()]);
}

function bindOf(path: string, isWritable: boolean): Step {
  return { kind: 'bind', path, from: path, isWritable };
}

interface Area {
  readonly path: string;
  readonly isCover: boolean;
}

/** The innermost area around a path. */
function nearest(path: string, areas: readonly Area[]): Area | undefined {
  return areas
    .filter((it) => it.path !== path && isInside(path, it.path))
    .sort((one, other) => other.path.length - one.path.length)[0];
}

function depthOf(path: string): number {
  return path.split(sep).filter((it) => it !== '').length;
}

/** By its own name, and by what a link leads to. */
function existing(paths: readonly string[]): string[] {
  const real = paths.flatMap((it) => orNull(() => realpathSync(it)) ?? []);
  return [...new Set([...paths, ...real])].filter((it) => it !== sep && existsSync(it)).sort();
}

/** Real paths of the folders that exist. */
function foldersOf(paths: readonly string[]): string[] {
  const real = paths.flatMap((it) => orNull(() => realpathSync(it)) ?? []);
  return [...new Set(real)].filter((it) => it !== sep && statSync(it).isDirectory());
}

function isFile(path: string): boolean {
  return orNull(() => lstatSync(path))?.isDirectory() === false;
}
