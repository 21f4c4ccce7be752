import { z } from 'zod';
import { FreshnessClass, HealthStatus, Phase, SourceState, VerificationStatus } from './words.ts';

const age = z.int().nonnegative().nullable();

/** The facts about one capsule that need no judgement: no score, only states and counts. */
export const TrustSignals = z.strictObject({
  recency: z.strictObject({
    /** Null, not 0, if the time is missing or malformed. */
    updated_age_seconds: age,
    verified_age_seconds: age,
    phase: Phase,
    freshness_class: FreshnessClass.nullable(),
    /** Null for a capsule that never gets stale. */
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

/** The least that is needed to judge a capsule, where the whole would leave too little room for what it says. */
export const CompactTrustSignals = z.strictObject({
  compact: z.literal(true),
  recency: z.strictObject({ phase: Phase }),
  completeness: z.strictObject({ orientation_adequate: z.boolean(), trimmed: z.boolean() }),
  integrity: z.strictObject({ source_state: SourceState, health_status: HealthStatus }),
  scope_match: z.strictObject({ exact: z.boolean() }),
});

/** The trust of several capsules together, of whatever form theirs are. */
export const AggregateTrustSignals = z.strictObject({
  recency: z.strictObject({
    worst_phase: Phase,
    /** Null if no capsule tells its age. */
    oldest_updated_age_seconds: age,
    oldest_verified_age_seconds: age,
  }),
  completeness: z.strictObject({
    all_adequate: z.boolean(),
    adequate_count: z.int(),
    /** Capsules that have trust signals at all. */
    total_count: z.int(),
    any_trimmed: z.boolean(),
  }),
  integrity: z.strictObject({
    worst_health: HealthStatus,
    any_fallback: z.boolean(),
    any_degraded: z.boolean(),
    any_conflicted: z.boolean(),
  }),
  scope_match: z.strictObject({
    selectors_requested: z.int(),
    selectors_returned: z.int(),
    selectors_omitted: z.int(),
    all_returned: z.boolean(),
  }),
});

export type CompactTrustSignals = z.infer<typeof CompactTrustSignals>;
export type AggregateTrustSignals = z.infer<typeof AggregateTrustSignals>;
export type TrustSignals = z.infer<typeof TrustSignals>;
