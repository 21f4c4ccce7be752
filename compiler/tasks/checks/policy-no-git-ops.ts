import type { GitChange } from '../schema/git-state.ts';
import { fail, PASS, unknown, type CheckModule } from './check-module.ts';

/**
 * `policy::no-git-ops`: what belongs to the agent's own worktree is as it was. Of what all worktrees share, nobody can
 * tell who changed it: such a change is blamed on nobody, and the atom cannot be judged before somebody explains it.
 */
export const noGitOps: CheckModule = ({ git }) => {
  if (git.own.length > 0) return fail('the agent’s worktree was changed by git', git.own.map(shownChange).join('\n'));
  if (git.shared.length > 0) {
    const detail = git.shared.map(shownChange).join('\n');
    return unknown('.git changed, and no row of the ledger explains it', detail);
  }
  return PASS;
};

/** `refs/heads/main: text 1… → text 2…`. */
function shownChange({ path, before, after }: GitChange): string {
  return `${path}: ${before ?? 'none'} → ${after ?? 'none'}`;
}
