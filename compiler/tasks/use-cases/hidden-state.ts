import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { StateFolder } from '../../capabilities/use-cases/state-folder.ts';
import { orNull } from '../../schema/or-null.ts';
import { PRIVATE_FOLDER } from '../../schema/source/private-files.ts';
import type { World } from '../../world/world.ts';

/**
 * Files and folders that neither a confined agent sees nor a test that judges its work: other worktrees, the private
 * folders with keys, and the socket of the person's SSH agent.
 */
export function hiddenState(
  { repository: { top, common }, worktrees }: Pick<StateFolder, 'repository' | 'worktrees'>,
  { cwd, env }: Pick<World, 'cwd' | 'env'>,
): string[] {
  const withKeys = [top, dirname(common), cwd].map((it) => join(it, PRIVATE_FOLDER));
  const socket = env['SSH_AUTH_SOCK'] ?? '';
  return [worktrees, ...linkedWorktrees(common), ...withKeys, ...(socket === '' ? [] : [socket])];
}

/** Parts of a repository that no test reads: the ledger, other agents' prompts, and settings with passwords. */
export function hiddenGit(common: string): string[] {
  return ['vade', 'worktrees', 'modules', 'config', 'config.worktree'].map((it) => join(common, it));
}

/** Worktrees that git knows, wherever they are: a person's own, or those made with another `--worktrees`. */
function linkedWorktrees(common: string): string[] {
  const all = join(common, 'worktrees');
  return (orNull(() => readdirSync(all)) ?? []).flatMap((id) => {
    const file = orNull(() => readFileSync(join(all, id, 'gitdir'), 'utf8').trim()) ?? '';
    return file === '' ? [] : [dirname(resolve(all, id, file))];
  });
}
