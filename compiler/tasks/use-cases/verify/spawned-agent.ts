import { VadeError } from '../../../schema/errors.ts';
import type { Ledger } from '../../ledger/open-ledger.ts';
import { GitState } from '../../schema/git-state.ts';
import type { LedgerEntry, LedgerRow, SpawnRow } from '../../schema/ledger-row.ts';
import type { Plan } from '../../schema/plan.ts';
import { isSealed, openPlan, type OrchestratorKey } from '../../sealed-plan.ts';

/** An agent as the ledger has it; everything is sealed by the orchestrator. */
export interface SpawnedAgent {
  readonly plan: Plan;
  readonly spawn: SpawnRow;
  /** `.git` when it was started. */
  readonly state: GitState;
}

/** Most rows that are looked through for one agent. */
const MOST_ROWS = 100_000;

/** Reads who an agent is. @throws agent_not_found, bundle_unverified if another key sealed it */
export function spawnedAgent(ledger: Ledger, agent: string, key: OrchestratorKey): SpawnedAgent {
  const entry = ledger.rowsOf(agent).find((it) => it.row.kind === 'spawn');
  if (entry?.row.kind !== 'spawn') throw new VadeError('agent_not_found', `no agent ${agent} was spawned`);
  if (!isSealed(entry, key)) {
    throw new VadeError('bundle_unverified', `the row of ${agent} is not sealed by this orchestrator`);
  }
  const { row } = entry;
  const plan = openPlan(Buffer.from(row.plan.text), key);
  if (plan.agent_id !== agent || plan.worktree !== row.worktree || plan.base !== row.base) {
    throw new VadeError('bundle_unverified', `the plan of ${agent} is about another agent`);
  }
  return { plan, spawn: row, state: GitState.parse(JSON.parse(row.git_state.text)) };
}

/** The rows since an agent was started, its own first, oldest first; only those that the orchestrator sealed. */
export function rowsSince(ledger: Ledger, agent: string, key: OrchestratorKey): LedgerRow[] {
  const start = ledger.rowsOf(agent).find((it) => it.row.kind === 'spawn')?.seq ?? 0;
  const later = ledger.newest(MOST_ROWS).filter((it) => it.seq >= start);
  return later
    .filter((it) => isSealed(it, key))
    .sort((a: LedgerEntry, b: LedgerEntry) => a.seq - b.seq)
    .map((it) => it.row);
}

/** Why an agent may do nothing more; null if it may. A revocation counts whoever wrote it. */
export function revocationOf(ledger: Ledger, agent: string): string | null {
  const found = ledger.rowsOf(agent).find(({ row }) => row.kind === 'revocation' && row.atom === null);
  return found?.row.kind === 'revocation' ? found.row.reason : null;
}

/** Atoms whose failure does not count for an agent, with the reason: sealed, kept by its role, not revoked since. */
export function bypassesOf(ledger: Ledger, plan: Plan, key: OrchestratorKey): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of ledger.rowsOf(plan.agent_id)) {
    const { row } = entry;
    if (row.kind === 'revocation' && row.atom !== null) found.delete(row.atom);
    if (row.kind === 'bypass' && isSealed(entry, key) && plan.bypasses.includes(row.atom)) {
      found.set(row.atom, row.reason);
    }
  }
  return found;
}
