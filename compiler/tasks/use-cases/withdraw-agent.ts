import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StateFolder } from '../../capabilities/use-cases/state-folder.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { orNull } from '../../schema/or-null.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { Signer } from '../../trust/dsse.ts';
import type { Ledger } from '../ledger/open-ledger.ts';
import { removeWorktree, type WorktreePlace } from '../worktree/add-worktree.ts';

/** Everything that was made for an agent, and that is needed to take it back. */
export interface Made {
  readonly place: StateFolder;
  readonly ledger: Ledger;
  readonly orchestrator: Signer;
  readonly plan: { readonly agent_id: string; readonly worktree: string; readonly created_at: string };
}

/** Takes the binding of an agent away: the gate then denies all its calls, wherever it is. @throws output_failed */
export function unbind({ tasks }: Pick<StateFolder, 'tasks'>, worktree: string): void {
  const file = join(tasks, 'bindings', `${sha256(worktree)}.json`);
  try {
    // its entries in `agents/` stay: a known id without a binding is denied everything
    rmSync(file, { force: true });
  } catch (error) {
    throw new VadeError('output_failed', `${file} cannot be removed: ${messageOf(error)}`);
  }
}

/** Removes everything that a failed spawn has made; `vade task clean` removes later what cannot be removed now. */
export function withdrawAgent(worktree: WorktreePlace, { place, ledger, orchestrator, plan }: Made): void {
  const { agent_id, created_at: at } = plan;
  const row = { format: 1, kind: 'clean', agent_id, at, worktree: plan.worktree, discarded: false } as const;
  // whatever fails here, the caller reports why the spawn failed
  orNull(() => {
    unbind(place, plan.worktree);
  });
  const isGone = orNull(() => {
    removeWorktree(worktree);
    return true;
  });
  orNull(() => {
    if (isGone === true && ledger.rowsOf(agent_id).length > 0) ledger.append(row, orchestrator);
  });
}
