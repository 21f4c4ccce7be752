import { z } from 'zod';
import { Instant } from '../primitives.ts';

/** §21.8.6 S11: details for administrators only. */
export const CoverageStatus = z.enum(['ok', 'coverage_critical', 'not_evaluated']);

/** §21.8.6: how well each unit of a manifest is found, as the last evaluation measured it. */
export const CoverageReport = z.strictObject({
  manifest_version: z.string(),
  embedding_model_version: z.string().nullable(),
  evaluated_at: Instant,
  units: z.array(
    z.strictObject({
      name: z.string(),
      coverage_pct: z.number().min(0).max(1),
      hit_at_10: z.number().min(0).max(1),
      /** Reported for small gardens, where the first ten are nearly all units. */
      hit_at_3: z.number().min(0).max(1).optional(),
      probe_count: z.int().nonnegative(),
      last_evaluated_at: Instant,
      coverage_status: CoverageStatus.optional(),
    }),
  ),
});

/** §21.8.6: below this share of hits among the first ten a unit is critical. */
export const CRITICAL_HIT = 0.4;

export type CoverageStatus = z.infer<typeof CoverageStatus>;
export type CoverageReport = z.infer<typeof CoverageReport>;
