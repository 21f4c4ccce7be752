import { z } from 'zod';

/** Warnings of a reading or a write that succeeded all the same. */
export const RecoveryWarning = z.enum([
  'continuity_active_missing',
  'continuity_active_invalid',
  'continuity_fallback_used',
  'continuity_fallback_missing',
  'continuity_fallback_write_failed',
  'startup_summary_build_failed',
  'trust_signals_compact',
  'trust_signals_aggregate_failed',
  'continuity_index_stale',
  'continuity_index_missing',
]);

export type RecoveryWarning = z.infer<typeof RecoveryWarning>;
