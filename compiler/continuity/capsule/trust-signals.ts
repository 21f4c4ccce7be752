import type { Capsule } from '../schema/capsule.ts';
import type { AggregateTrustSignals, CompactTrustSignals, TrustSignals } from '../schema/trust-signals.ts';
import { HealthStatus, Phase, type SourceState } from '../schema/words.ts';
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

/** The four dimensions of a capsule's trust, in full. */
export function trustSignals(capsule: Capsule, state: SourceState, now: number): TrustSignals {
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
      // a retrieval that trims a capsule fills these in
      trimmed: false,
      trimmed_fields: [],
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

/** The compact form of trust signals: the same words, fewer of them. */
export function compactSignals({ recency, completeness, integrity, scope_match }: TrustSignals): CompactTrustSignals {
  return {
    compact: true,
    recency: { phase: recency.phase },
    completeness: { orientation_adequate: completeness.orientation_adequate, trimmed: completeness.trimmed },
    integrity: { source_state: integrity.source_state, health_status: integrity.health_status },
    scope_match: { exact: scope_match.exact },
  };
}

/** Number of selectors, and of those that found a capsule. */
export interface SelectorCounts {
  readonly requested: number;
  readonly returned: number;
}

type AnySignals = TrustSignals | CompactTrustSignals;

/** The trust of several capsules; null if none of them has signals. */
export function aggregateSignals(
  signals: readonly AnySignals[],
  { requested, returned }: SelectorCounts,
): AggregateTrustSignals | null {
  if (signals.length === 0) return null;
  const full = signals.filter((it): it is TrustSignals => !('compact' in it));
  const adequate = signals.filter((it) => it.completeness.orientation_adequate).length;
  const health = signals.map((it) => it.integrity.health_status);
  return {
    recency: {
      worst_phase: worst(
        Phase.options,
        signals.map((it) => it.recency.phase),
      ),
      oldest_updated_age_seconds: oldest(full.map((it) => it.recency.updated_age_seconds)),
      oldest_verified_age_seconds: oldest(full.map((it) => it.recency.verified_age_seconds)),
    },
    completeness: {
      all_adequate: adequate === signals.length,
      adequate_count: adequate,
      total_count: signals.length,
      any_trimmed: signals.some((it) => it.completeness.trimmed),
    },
    integrity: {
      worst_health: worst(HealthStatus.options, health),
      any_fallback: signals.some((it) => it.integrity.source_state === 'fallback'),
      any_degraded: health.includes('degraded'),
      any_conflicted: health.includes('conflicted'),
    },
    scope_match: {
      selectors_requested: requested,
      selectors_returned: returned,
      selectors_omitted: requested - returned,
      all_returned: requested === returned,
    },
  };
}

/** The worst of some words; there is one at least. @param order from the best to the worst */
function worst<T extends string>(order: readonly T[], words: readonly T[]): T {
  return words.reduce((a, b) => (order.indexOf(a) < order.indexOf(b) ? b : a));
}

/** The highest age that is known; null if none is. */
function oldest(ages: readonly (number | null)[]): number | null {
  const known = ages.filter((it) => it !== null);
  return known.length === 0 ? null : Math.max(...known);
}
