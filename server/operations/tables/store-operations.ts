import { auditedTable } from '../continuity/audited.ts';
import { CONTEXT_OPERATIONS } from '../continuity/context-operations.ts';
import { HANDOFF_OPERATIONS } from '../continuity/coordination/handoffs.ts';
import { RECONCILIATION_OPERATIONS } from '../continuity/coordination/reconciliations.ts';
import { SHARED_OPERATIONS } from '../continuity/coordination/shared.ts';
import { CONTINUITY_OPERATIONS } from '../continuity/operations.ts';
import { SCHEDULE_OPERATIONS } from '../continuity/schedule-operations.ts';

/** Operations of an agent on its own store, only under `--continuity`; routes, tools and examples derive from them. */
export const STORE_OPERATIONS = auditedTable({
  ...CONTEXT_OPERATIONS,
  ...CONTINUITY_OPERATIONS,
  ...HANDOFF_OPERATIONS,
  ...SHARED_OPERATIONS,
  ...RECONCILIATION_OPERATIONS,
  ...SCHEDULE_OPERATIONS,
});
