import { CONTEXT_OPERATIONS } from '../continuity/context-operations.ts';
import { COORDINATION_OPERATIONS } from '../continuity/coordination/operations.ts';
import { CONTINUITY_OPERATIONS } from '../continuity/operations.ts';
import { SCHEDULE_OPERATIONS } from '../continuity/schedule-operations.ts';

/** Operations of an agent on its own store, only under `--continuity`; routes, tools and examples derive from them. */
export const STORE_OPERATIONS = {
  ...CONTEXT_OPERATIONS,
  ...CONTINUITY_OPERATIONS,
  ...COORDINATION_OPERATIONS,
  ...SCHEDULE_OPERATIONS,
};
