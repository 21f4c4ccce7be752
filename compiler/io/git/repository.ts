import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { printable } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import { readSafeDirectories, type UserFolders } from './git-config.ts';
import { isInside } from './git-process.ts';

/** A repository that may be read. It is found without running git, so nothing in it is trusted before it is checked. */
export interface Repository {
  /** Folder of the working tree; of a bare repository, its own folder. */
  readonly top: string;
  /** The given folder, relative to `top`: `` or `teams/acme/`. */
  readonly prefix: string;
  /** The git directory, which contains `HEAD`. */
  readonly folder: string;
  /** The folder that linked worktrees share, with `objects`, `refs` and `config`; without any, the git directory. */
  readonly common: string;
  readonly bare: boolean;
  /** A clone without old commits. */
  readonly shallow: boolean;
  /** A clone without some objects, which git would fetch when needed. */
  readonly partial: boolean;
}

/** The user who opens repositories, and their configuration. */
export interface Opener extends UserFolders {
  /** Effective user ID; undefined if the system has none. */
  readonly user: number | undefined;
}

/** The user of this process. @param env with `HOME` and `XDG_CONFIG_HOME` */
export function thisUser(env: Readonly<Record<string, string | undefined>> = process.env): Opener {
  const home = env['HOME'] ?? homedir();
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  return { user: process.geteuid?.(), home, config: xdg === '' ? join(home, '.config') : xdg };
}

/**
 * The repository that contains a folder: the nearest `.git` at or above it on the same file system, or the folder
 * itself if it is a bare repository outside any other. Untrusted input: a pull request can add a folder that looks like
 * a bare repository, and anyone who can write above the folder can create a `.git` there.
 *
 * @returns null if there is none
 * @throws repository_refused if it has another owner, is a bare one inside another, or has alternates
 */
export async function findRepository(folder: string, opener: Opener = thisUser()): Promise<Repository | null> {
  const start = startOf(realpathSync(folder));
  const above = placeAbove(start);
  const isBare = above?.top !== start && isGitFolder(start);
  const place = isBare ? { top: start, folder: start, gitFile: null } : above;
  if (place === null) return null;
  const common = commonOf(place.folder);
  const checked = [place.top, place.folder, common, ...(place.gitFile === null ? [] : [place.gitFile])];
  const foreign = checked.map((path) => ({ path, owner: lstatSync(path).uid })).find((it) => isForeign(it, opener));
  const isEmbedded = isBare && above !== null && !isInside(start, above.folder);
  if ((foreign || isEmbedded) && !(await readSafeDirectories(opener, place.top)).includes(place.top)) {
    throw foreign ? foreignError(place.top, foreign, opener) : embeddedError(start, above?.top ?? '');
  }
  refuseAlternates(common);
  const prefix = relative(place.top, start).split(sep).join('/');
  return {
    top: place.top,
    folder: place.folder,
    common,
    prefix: prefix === '' ? '' : `${prefix}/`,
    bare: isBare,
    shallow: existsSync(join(common, 'shallow')),
    partial: isPartial(common),
  };
}

function isPartial(common: string): boolean {
  const packs = join(common, 'objects/pack');
  return existsSync(packs) && readdirSync(packs).some((name) => name.endsWith('.promisor'));
}

/** The folder to start from: `checkout/.git` means the checkout. */
function startOf(folder: string): string {
  return basename(folder) === '.git' ? dirname(folder) : folder;
}

interface WorktreePlace {
  readonly top: string;
  readonly folder: string;
  /** The path of `.git` if it is a file that points to another folder. */
  readonly gitFile: string | null;
}

/** Searches as git does, but ignores bare repositories above the folder. */
function placeAbove(start: string): WorktreePlace | null {
  const { dev } = statSync(start);
  for (let top = start; statSync(top).dev === dev; top = dirname(top)) {
    const place = placeAt(top);
    if (place) return place;
    if (dirname(top) === top) return null;
  }
  return null;
}

function placeAt(top: string): WorktreePlace | null {
  const entry = join(top, '.git');
  const stat = statSync(entry, { throwIfNoEntry: false });
  if (stat?.isDirectory() && isGitFolder(entry)) return { top, folder: realpathSync(entry), gitFile: null };
  if (!stat?.isFile()) return null;
  const [, target = ''] = /^gitdir: (.+?)\s*$/.exec(readSmall(entry)) ?? [];
  const folder = resolve(top, target);
  if (target === '' || !isGitFolder(folder)) {
    throw refusal(top, 'its .git is a file that points to no repository', 'git worktree repair');
  }
  return { top, folder: realpathSync(folder), gitFile: entry };
}

function isGitFolder(folder: string): boolean {
  if (lstatSync(join(folder, 'HEAD'), { throwIfNoEntry: false })?.isFile() !== true) return false;
  const common = commonOf(folder);
  const isFolder = (name: string) => statSync(join(common, name), { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder('objects') && isFolder('refs');
}

function commonOf(folder: string): string {
  const file = join(folder, 'commondir');
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return folder;
  const common = resolve(folder, readSmall(file).trim());
  return existsSync(common) ? realpathSync(common) : folder;
}

const MAX_POINTER = 4096;

/** Untrusted input: a file that contains one path; empty if it is too large. */
function readSmall(path: string): string {
  return statSync(path).size > MAX_POINTER ? '' : readFileSync(path, 'utf8');
}

interface Owned {
  readonly path: string;
  readonly owner: number;
}

/** Without user IDs, as on Windows, owners are not checked. */
function isForeign({ owner }: Owned, { user }: Opener): boolean {
  return user !== undefined && owner !== user;
}

/** The shell command that makes git trust a folder. */
const trustCommand = (folder: string) => `git config --global --add safe.directory ${quoted(folder)}`;

const quoted = (path: string) => `'${printable(path).replaceAll("'", "'\\''")}'`;

function refusal(folder: string, why: string, suggestion: string): VadeError {
  const message = printable(`${folder}: ${why}`);
  return new VadeError('repository_refused', message, { repository: folder, suggestion });
}

function foreignError(top: string, { path, owner }: Owned, { user }: Opener): VadeError {
  const why =
    `${path} belongs to user ${owner}, but this is user ${user ?? ''}, so the repository is not read; ` +
    `run as its owner or, if you trust it, run ${trustCommand(top)}`;
  return refusal(top, why, trustCommand(top));
}

function embeddedError(folder: string, above: string): VadeError {
  const why =
    `it looks like a bare repository inside the working tree of ${above}, and a pull request can add such a ` +
    `folder, so it is not read; move it out or, if you trust it, run ${trustCommand(folder)}`;
  return refusal(folder, why, trustCommand(folder));
}

/** Refuses alternates: git would read objects of other repositories as the repository's own. */
function refuseAlternates(common: string): void {
  for (const name of ['alternates', 'http-alternates']) {
    const file = join(common, 'objects/info', name);
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) continue;
    const fix = `git -C ${quoted(common)} repack -a -d && rm ${quoted(file)}`;
    throw refusal(common, `it uses objects of other repositories; to copy them into it, run ${fix}`, fix);
  }
}
