import { z } from 'zod';
import { FreshnessClass, HealthStatus, Phase, SourceState, VerificationStatus } from './words.ts';

const age = z.int().nonnegative().nullable();

/** What can be told of one capsule without judging it: no score, only states and counts. */
export const TrustSignals = z.strictObject({
  recency: z.strictObject({
    /** Null, not 0, if the time is missing or malformed. */
    updated_age_seconds: age,
    verified_age_seconds: age,
    phase: Phase,
    freshness_class: FreshnessClass.nullable(),
    /** Null for what never gets stale. */
    stale_threshold_seconds: z.int().nullable(),
  }),
  completeness: z.strictObject({
    orientation_adequate: z.boolean(),
    empty_orientation_fields: z.array(z.string()),
    trimmed: z.boolean(),
    trimmed_fields: z.array(z.string()),
  }),
  integrity: z.strictObject({
    source_state: SourceState,
    health_status: HealthStatus,
    health_reasons: z.array(z.string()),
    verification_status: VerificationStatus,
  }),
  scope_match: z.strictObject({ exact: z.boolean() }),
});

export type TrustSignals = z.infer<typeof TrustSignals>;
