import type { ResolvedGate, ResolvedRole } from '../schema/capability/resolved-role.ts';
import { sha256 } from '../trust/canonical.ts';
import { composePrompt, escalationOf } from './compose-prompt.ts';
import type { Plan, PlannedCheck } from './schema/plan.ts';
import type { Task } from './schema/task-file.ts';

/** A role that was proved from a bundle. */
export interface Authority {
  readonly resolved: ResolvedRole;
  readonly digest: string;
}

/** The parts of a plan that are known before anybody starts an agent: the same for the same task, role and bundle. */
export type PlanDraft = Omit<Plan, 'agent_id' | 'worktree' | 'base' | 'created_at' | 'guard'>;

/** A task with the prompt and the draft of the plan that come from it. */
export interface Composition {
  readonly task: Task;
  readonly role: ResolvedRole;
  readonly prompt: Buffer;
  readonly draft: PlanDraft;
}

/** Composes prompt and plan of a task. */
export function composeTask(task: Task, { resolved, digest }: Authority, bundle: Plan['bundle']): Composition {
  const prompt = composePrompt(task, resolved);
  const { task: about } = task.declared;
  const draft: PlanDraft = {
    format: 1,
    task: { id: task.id, digest: task.digest },
    role: { name: resolved.role, digest },
    bundle,
    parent: about['parent-agent'] ?? null,
    spawns: [...about.spawns],
    escalation: escalationOf(task, resolved),
    parameters: task.parameters,
    checks: plannedChecks(resolved),
    obeyed_allowed: resolved.obeyed_allowed ?? [],
    bypasses: resolved.gates.filter((it) => it.bypass_env !== null).map((it) => it.atom),
    fragments: resolved.fragments.map(({ atom, digest: own }) => ({ atom, digest: own })),
    prompt: sha256(prompt),
  };
  return { task, role: resolved, prompt, draft };
}

/** The checks of a role, as a plan has them. */
export function plannedChecks({ checks, gates }: ResolvedRole): PlannedCheck[] {
  return checks.map((it) => ({ ...it, severity: severityOf(it.atom, gates) }));
}

/** A check weighs as much as the gate of its atom. */
function severityOf(atom: string, gates: readonly ResolvedGate[]): PlannedCheck['severity'] {
  return gates.find((it) => it.atom === atom)?.severity ?? 'block';
}
