import { HANDOFF_OPERATIONS } from './handoffs.ts';
import { RECONCILIATION_OPERATIONS } from './reconciliations.ts';
import { SHARED_OPERATIONS } from './shared.ts';

/** Operations on what agents hand over, share and disagree about, under `--continuity` alone. */
export const COORDINATION_OPERATIONS = { ...HANDOFF_OPERATIONS, ...SHARED_OPERATIONS, ...RECONCILIATION_OPERATIONS };
