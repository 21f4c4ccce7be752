import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeDurably } from '../../io/files/durable.ts';
import { readIfThere } from '../../io/files/file.ts';
import { openGit } from '../../io/git/git.ts';
import { namedCommit } from '../../io/git/named-commit.ts';
import type { Repository } from '../../io/git/repository.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { privateGit } from './private-git.ts';
import { runFolder } from './run-folder.ts';

/** A worktree of an agent; its folder has the agent's id as its name. */
export interface WorktreePlace {
  /** Absolute, and real but for its last part, which may not be there. */
  readonly path: string;
  readonly repository: Repository;
}

/** `git worktree prune` and `git gc` leave a locked worktree alone; this says whose it is. */
const LOCKED = 'an agent of vade works here: vade task clean removes it\n';

/** The folder in the repository where git keeps its data of a worktree. */
function adminFolder({ path, repository }: WorktreePlace): string {
  return join(repository.common, 'worktrees', basename(path));
}

/** The commit that a ref names, for a worktree to begin with. @throws ref_not_found, argument_invalid */
export async function baseCommit(repository: Repository, ref: string): Promise<string> {
  const commit = await namedCommit(await openGit(repository), ref, 'ref');
  if (commit === null) throw new VadeError('ref_not_found', `${ref} is not a commit of this repository`);
  return commit;
}

/**
 * Makes a worktree of a commit, on no branch. `git worktree add` would run the hook `post-checkout` and the filters of
 * the repository's configuration. So the few files that it writes are written here (gitrepository-layout), and a git
 * without that configuration fills the folder: no program that the repository names is run.
 *
 * @throws already_exists, repository_refused, output_failed, repository_unreadable
 */
export async function addWorktree(place: WorktreePlace, commit: string): Promise<void> {
  const { path, repository } = place;
  if (existsSync(join(repository.common, 'reftable'))) {
    throw new VadeError('repository_refused', 'worktrees of a repository with reftables are not supported');
  }
  const admin = adminFolder(place);
  closeFolder(dirname(path));
  makeFolder(path);
  try {
    makeFolder(admin);
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  try {
    writePointers(place, commit);
    await fill(place, commit);
  } catch (error) {
    removeWorktree(place);
    throw error;
  }
}

/** @throws output_failed */
function writePointers(place: WorktreePlace, commit: string): void {
  const admin = adminFolder(place);
  try {
    writeDurably(join(admin, 'locked'), LOCKED);
    writeDurably(join(admin, 'commondir'), '../..\n');
    writeDurably(join(admin, 'gitdir'), gitdirOf(place));
    writeDurably(join(admin, 'HEAD'), `${commit}\n`);
    writeDurably(join(place.path, '.git'), pointerTo(admin));
  } catch (error) {
    throw new VadeError('output_failed', `${place.path} cannot be written: ${messageOf(error)}`);
  }
}

/** Writes the files exactly as they are stored, as the snapshot of the worktree will read them. */
async function fill(place: WorktreePlace, commit: string): Promise<void> {
  const run = runFolder();
  try {
    const git = await privateGit(place.repository, run.path);
    const env = { GIT_WORK_TREE: place.path, GIT_INDEX_FILE: join(adminFolder(place), 'index') };
    await git.run(['read-tree', '-m', '-u', commit], { env });
  } finally {
    run.remove();
  }
}

function pointerTo(admin: string): string {
  return `gitdir: ${admin}\n`;
}

function gitdirOf({ path }: WorktreePlace): string {
  return `${join(path, '.git')}\n`;
}

/**
 * Other accounts do not enter the folder of worktrees: an agent may leave files there that act with its user's rights.
 * A folder of another name may serve for other things, and is refused.
 *
 * @throws argument_invalid, output_failed
 */
function closeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const isOpen = realpathSync(folder) === folder && (lstatSync(folder).mode & 0o077) !== 0;
    if (isOpen && folder.endsWith('.worktrees')) chmodSync(folder, 0o700);
    if (!isOpen || folder.endsWith('.worktrees')) return;
  } catch (error) {
    throw new VadeError('output_failed', `${folder} cannot be closed to other accounts: ${messageOf(error)}`);
  }
  const suggestion = `chmod 700 ${folder}, or name another folder`;
  const message = `${folder} is open to other accounts of this machine`;
  throw new VadeError('argument_invalid', message, { flag: 'worktrees', suggestion });
}

/** A folder that was not there. @throws already_exists, output_failed */
function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (realpathSync(dirname(path)) !== dirname(path)) throw new Error('it is behind a link');
    mkdirSync(path);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const message = isTaken ? `${path} already exists` : `${path} cannot be created: ${messageOf(error)}`;
    throw new VadeError(isTaken ? 'already_exists' : 'output_failed', message);
  }
}

/** Names of folders that are being removed begin with this: no agent's id does. */
const GOING = '.removing-';

/**
 * Removes a worktree, whole or in part: it may have been begun or removed by a process that was killed. Only a folder
 * that is a worktree of this repository by its own name is removed, and nothing through a link.
 *
 * @throws output_failed
 */
export function removeWorktree(place: WorktreePlace): void {
  const admin = adminFolder(place);
  const going = join(dirname(place.path), `${GOING}${basename(place.path)}`);
  try {
    rmSync(going, { recursive: true, force: true });
    if (isWorktree(place)) {
      renameSync(place.path, going);
      // git may still be writing there for a moment, if its spawn was killed
      rmSync(going, { recursive: true, force: true, maxRetries: 3 });
    }
    if (isOurs(place)) rmSync(admin, { recursive: true, force: true });
  } catch (error) {
    throw new VadeError('output_failed', `${place.path} cannot be removed: ${messageOf(error)}`);
  }
}

/** Whether git's data under this name is about this worktree: the user may have one of the same name elsewhere. */
function isOurs(place: WorktreePlace): boolean {
  const read = (name: string) => textAt(join(adminFolder(place), name)) ?? '';
  const gitdir = read('gitdir');
  // killed before these files were whole: each is missing, or has its first bytes
  const isBegun = gitdirOf(place).startsWith(gitdir) && LOCKED.startsWith(read('locked'));
  return gitdir === gitdirOf(place) || isBegun;
}

/** Whether a worktree is there that was made here. @throws output_failed, if something else has its place */
export function isWorktree(place: WorktreePlace): boolean {
  const found = lstatSync(place.path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.isDirectory()) {
    const pointer = textAt(join(place.path, '.git')) ?? '';
    const whole = pointerTo(adminFolder(place));
    if (pointer === whole) return true;
    // killed before its pointer was whole: nothing else is there yet
    if (whole.startsWith(pointer) && readdirSync(place.path).every((it) => it === '.git')) return true;
  }
  throw new VadeError(
    'output_failed',
    `${place.path} is no longer a worktree of this repository: inspect it, then delete it`,
  );
}

/** A short file, which an agent may have replaced. @returns undefined if there is none @throws output_failed */
function textAt(path: string): string | undefined {
  try {
    return readIfThere(path, 4096, 'refuse')?.toString('utf8');
  } catch (error) {
    throw new VadeError('output_failed', `${path} cannot be read: ${messageOf(error)}`);
  }
}

/**
 * Worktrees of agents that git still knows, according to their own data. Untrusted: anybody may have written it, and
 * unreadable data counts as no agent's.
 */
export function orphanWorktrees(repository: Repository): { name: string; path: string; base: string }[] {
  const folder = join(repository.common, 'worktrees');
  return (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) => {
    const read = (file: string) => readable(join(folder, name, file));
    const path = dirname(read('gitdir').trim());
    const base = read('HEAD').trim();
    const isAgents = read('locked') === LOCKED && basename(path) === name && /^[0-9a-f]{40,64}$/.test(base);
    return isAgents ? [{ name, path, base }] : [];
  });
}

function readable(path: string): string {
  try {
    return textAt(path) ?? '';
  } catch {
    return '';
  }
}
