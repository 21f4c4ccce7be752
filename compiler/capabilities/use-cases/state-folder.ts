import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { findRepository, thisUser, type Repository } from '../../io/git/repository.ts';
import { VadeError } from '../../schema/errors.ts';
import type { World } from '../../world/world.ts';
import { realDisk } from '../paths/disk.ts';
import { realPath } from '../paths/real-path.ts';

/** Folder in which a repository keeps the bindings of its agents. */
export interface StateFolder {
  readonly repository: Repository;
  /** `<git-common-dir>/vade`, which all worktrees of the repository share. */
  readonly tasks: string;
  /** The folder of all worktrees of agents: beside the repository, since no agent may write below a `.git`. */
  readonly worktrees: string;
}

/** @param worktrees instead of the folder beside the repository @throws source_not_found, argument_invalid */
export async function stateFolder(repo: string, worktrees: string | undefined, world: World): Promise<StateFolder> {
  const folder = resolve(world.cwd, repo);
  const repository = existsSync(folder) ? await findRepository(folder, thisUser(world.env)) : null;
  if (repository === null) throw new VadeError('source_not_found', `${repo} is not in a git repository`);
  const common = realPath(repository.common, realDisk);
  const tasks = join(common, 'vade');
  if (realPath(tasks, realDisk) !== tasks) {
    throw new VadeError('argument_invalid', `${tasks} is a link; delete it`, { flag: 'repo' });
  }
  const main = basename(common) === '.git' ? dirname(common) : common;
  const beside = join(dirname(main), `${basename(main)}.worktrees`);
  return { repository, tasks, worktrees: resolve(world.cwd, worktrees ?? beside) };
}
