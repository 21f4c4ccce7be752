import type { SpawnRow } from '../../compiler/tasks/schema/ledger-row.ts';
import type { Plan } from '../../compiler/tasks/schema/plan.ts';
import { sealPlan } from '../../compiler/tasks/sealed-plan.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { signerFromPem } from '../../compiler/trust/dsse.ts';
import { newSigningKey } from '../../compiler/trust/root-chain.ts';

/** The private key of the orchestrator, as its user has it. */
export const ORCHESTRATOR_PEM = newSigningKey();

/** An orchestrator of the tests. */
export const ORCHESTRATOR = signerFromPem(ORCHESTRATOR_PEM);

const AT = '2026-11-23T12:00:00Z';

/** A plan of no real bundle. */
export function planOf(agent_id: string, more: Partial<Plan> = {}): Plan {
  return {
    format: 1,
    task: { id: 'fix-login', digest: sha256('task') },
    role: { name: 'edit-local', digest: sha256('role') },
    bundle: { revision: '7-abc', root_digest: sha256('root') },
    agent_id,
    parent: null,
    spawns: [],
    worktree: `/work/${agent_id}`,
    base: 'a'.repeat(40),
    escalation: 'ask-via-return',
    parameters: {},
    checks: [],
    obeyed_allowed: [],
    guard: {},
    bypasses: [],
    fragments: [],
    prompt: sha256('prompt'),
    created_at: AT,
    ...more,
  };
}

/** The row of a spawn. */
export function spawnRow(agent_id: string, more: Partial<Plan> = {}): SpawnRow {
  const plan = planOf(agent_id, more);
  const text = sealPlan(plan, ORCHESTRATOR).toString('utf8');
  return {
    format: 1,
    kind: 'spawn',
    agent_id,
    at: AT,
    task: plan.task.id,
    parent: plan.parent,
    worktree: plan.worktree,
    base: plan.base,
    plan: { digest: sha256(text), text },
    spec: plan.task.digest,
    git_state: { digest: sha256('{}'), text: '{}' },
  };
}
