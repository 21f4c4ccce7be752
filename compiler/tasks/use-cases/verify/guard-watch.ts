import type { Repository } from '../../../io/git/repository.ts';
import { VadeError } from '../../../schema/errors.ts';
import type { World } from '../../../world/world.ts';
import type { GitChange, GitState } from '../../schema/git-state.ts';
import type { LedgerRow } from '../../schema/ledger-row.ts';
import { gitChanges } from '../../verify/compare-git-states.ts';
import { unexplained } from '../../verify/explained.ts';
import { readGuard, switchesIn } from '../guard-state.ts';
import type { SpawnedAgent } from './spawned-agent.ts';

/**
 * Changes since the agent's start in everything that stops the agent and judges it, if no row explains them. Files are
 * read, and nothing is run.
 *
 * @param rows those since the spawn, sealed
 */
export function guardChanges(
  { plan }: SpawnedAgent,
  { top, common }: Repository,
  rows: readonly LedgerRow[],
  { env }: Pick<World, 'env'>,
): GitChange[] {
  const place = { tasks: `${common}/vade`, top };
  const before = stateOf(plan.guard);
  const after = stateOf({ ...readGuard(place, env), ...switchesIn(plan.worktree, place) });
  return unexplained(gitChanges(before, after), { before, rows, main: { ref: '', steps: [] } });
}

function stateOf(entries: GitState['entries']): GitState {
  return { format: 1, entries };
}

/** Another git than that of the spawn is not run before a person has said that it is right. @throws work_unjudged */
export function assertSameGit(agent: string, changes: readonly GitChange[]): void {
  const git = changes.find((it) => it.path === 'program git');
  if (git === undefined) return;
  const message = `git was ${git.before ?? 'unknown'} when ${agent} was started, and is ${git.after ?? 'unknown'} now; it was not run`;
  const suggestion = `if you changed it: vade task explain --agent ${agent} --reason "I upgraded git"`;
  throw new VadeError('work_unjudged', message, { suggestion });
}
