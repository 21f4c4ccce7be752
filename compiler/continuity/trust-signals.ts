import type { Capsule } from '../schema/continuity/capsule.ts';
import type { TrustSignals } from '../schema/continuity/trust-signals.ts';
import type { SourceState } from '../schema/continuity/words.ts';
import { ageSeconds, phaseOf, staleSeconds } from './freshness.ts';
import { healthOf, isAdequate, verificationOf } from './state-of.ts';

const ORIENTATION = [
  'top_priorities',
  'active_constraints',
  'open_loops',
  'active_concerns',
  'stance_summary',
  'drift_signals',
] as const;

/**
 * The four dimensions of a capsule's trust, in full.
 *
 * @param trimmedFields what was left out of the capsule that is returned; nothing on the read path
 */
export function trustSignals(
  capsule: Capsule,
  state: SourceState,
  now: number,
  trimmedFields: readonly string[] = [],
): TrustSignals {
  const health = healthOf(capsule);
  return {
    recency: {
      updated_age_seconds: ageSeconds(capsule.updated_at, now),
      verified_age_seconds: ageSeconds(capsule.verified_at, now),
      phase: phaseOf(capsule, now),
      freshness_class: capsule.freshness?.freshness_class ?? null,
      stale_threshold_seconds: staleSeconds(capsule),
    },
    completeness: {
      orientation_adequate: isAdequate(capsule),
      empty_orientation_fields: ORIENTATION.filter((name) => capsule.continuity[name].length === 0),
      trimmed: trimmedFields.length > 0,
      trimmed_fields: [...trimmedFields],
    },
    integrity: {
      source_state: state,
      health_status: health.status,
      health_reasons: health.reasons,
      verification_status: verificationOf(capsule),
    },
    // a fallback is the right subject, but not what the selector resolves to
    scope_match: { exact: state === 'active' },
  };
}
