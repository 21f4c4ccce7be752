import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { isInside } from '../git/git-process.ts';

/** The view of this machine that a confined command has. It can write only where its place allows it. */
export interface Confinement {
  /** Home of the person: only tools in it are seen. */
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

/** Tools of a home; what a home has besides them, such as keys, is not seen. */
const TOOLS = [
  ...[
    '.nvm',
    '.volta',
    '.fnm',
    '.asdf',
    '.pyenv',
    '.rbenv',
    '.sdkman',
    '.deno/bin',
    '.bun/bin',
    '.npm-global',
    'go/bin',
  ],
  ...['.rustup', '.cargo/bin', '.local/bin', '.local/lib', '.local/pipx/venvs', '.nix-profile', '.local/state/nix'],
  ...['claude/versions', 'fnm', 'mise', 'uv', 'pnpm', 'pipx/venvs'].map((it) => `.local/share/${it}`),
];

/** Paths that may hold keys in a home, for the case that, say, the repository is the whole home. */
const SECRETS = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gh', '.config/git', '.config/gcloud', '.claude'],
  ...['.netrc', '.npmrc', '.pypirc', '.git-credentials', '.gitconfig', '.cargo/credentials', '.cargo/credentials.toml'],
];

/**
 * Sockets below `/run` let a writer act as the person, or as root. Of that folder, only the files that resolve names
 * are seen.
 */
const RUN = '/run';
const SEEN_OF_RUN = [
  ...['systemd/resolve/stub-resolv.conf', 'systemd/resolve/resolv.conf', 'resolvconf/resolv.conf'],
  ...['NetworkManager/resolv.conf', 'current-system', 'opengl-driver'],
];

/** Folders of everybody: a command has its own. */
const SCRATCH = ['/tmp', '/var/tmp', '/dev/shm'];

/** The steps for one command. @param path its PATH */
export function stepsFor(confinement: Confinement, place: SandboxPlace, path: string): Step[] {
  const { home } = confinement;
  const hidden = [...homesOf(home).flatMap((it) => SECRETS.map((name) => join(it, name))), ...confinement.hidden];
  const shown = shownTo(confinement, path);
  const isOwn = (it: string) => shown.includes(it) || place.writable.includes(it);
  const scratch = foldersOf([...SCRATCH, tmpdir()]).filter((it) => !isOwn(it));
  const empty = foldersOf([home, RUN, ...hidden]).filter((it) => !isOwn(it) && !scratch.includes(it));
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

/** The home that the environment names, and the user's own, which is another under `sudo` or with `HOME` set. */
function homesOf(home: string): string[] {
  return [home, orNull(() => userInfo().homedir) ?? home];
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

/** Everything that is seen wherever it lies: by its own name, and by what a link leads to. */
function shownTo({ home, readable }: Confinement, path: string): string[] {
  const folders = path.split(delimiter).filter((it) => isAbsolute(it));
  const own = [...TOOLS.map((it) => join(home, it)), ...SEEN_OF_RUN.map((it) => join(RUN, it))];
  const all = [...readable, ...folders.flatMap((it) => installationOf(it, home)), ...own];
  const real = all.flatMap((it) => orNull(() => realpathSync(it)) ?? []);
  return [...new Set([...all, ...real])].filter((it) => it !== sep && existsSync(it)).sort();
}

/** Programs in `…/bin` read what lies in `…/lib`; of a home and its `.local` not everything is shown for that. */
function installationOf(folder: string, home: string): string[] {
  const whole = dirname(folder);
  const isNarrow = basename(folder) === 'bin' && !isInside(home, whole) && isInside(whole, home);
  return isNarrow && !['.local', '.cargo'].includes(basename(whole)) ? [folder, whole] : [folder];
}

/** Real paths of the folders that exist. */
function foldersOf(paths: readonly string[]): string[] {
  const real = paths.flatMap((it) => orNull(() => realpathSync(it)) ?? []);
  return [...new Set(real)].filter((it) => it !== sep && statSync(it).isDirectory());
}

function isFile(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true || stat?.isSocket() === true;
}
