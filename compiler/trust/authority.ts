import { MAX_TASK_TYPES } from '../model/manifest.ts';
import type { Delivery } from '../model/unit.ts';
import { SHARED } from '../model/uri.ts';

/** What an administrator has to have said yes to before a unit may be delivered like this. */
export type ApprovalKind = 'guarantee_load' | 'force_position' | 'task_types';

/** The approvals that a unit's delivery asks for (§21.1.5, §21.3.3). */
export function requiredApprovals(delivery: Delivery): ApprovalKind[] {
  const kinds: ApprovalKind[] = [];
  if (delivery.guarantee_load) kinds.push('guarantee_load');
  if (delivery.force_position === 'prepend') kinds.push('force_position');
  if (delivery.required_by_task_types.length > MAX_TASK_TYPES) kinds.push('task_types');
  return kinds;
}

/** Who is asking: an agent by the name of its garden, or an administrator by entity URI. */
export type Caller =
  | { readonly kind: 'agent'; readonly garden: string; readonly agent_id: string }
  | { readonly kind: 'admin'; readonly entity: string };

/** §21.4.4: an agent reads exactly its own garden and the shared one; administrators read all. */
export function mayRead(caller: Caller, garden: string): boolean {
  return caller.kind === 'admin' || garden === SHARED || garden === caller.garden;
}
