import { byText } from '../../trust/canonical.ts';
import type { CapsuleFreshness } from '../schema/capsule.ts';
import type { Salience, SalienceKey, SalienceMetadata } from '../schema/salience.ts';
import { HealthStatus, Lifecycle, Phase, SignalKind } from '../schema/words.ts';
import { ageSeconds, phaseOf } from './freshness.ts';

/** The inputs of a capsule's salience. */
export interface Ranked {
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly updated_at: string;
  readonly verified_at: string;
  readonly freshness?: CapsuleFreshness | undefined;
  readonly lifecycle: Lifecycle | null;
  readonly health_status: HealthStatus;
  readonly strongest_signal: SignalKind | null;
  readonly resume_adequate: boolean;
  /** Distinguishes several files of one subject. */
  readonly artifact_state: string;
  readonly path: string;
}

/** The ranks of a capsule; they are computed on request, and never stored. */
function salienceKey(it: Ranked, now: number): SalienceKey {
  return {
    // a capsule without a lifecycle comes after all that have one
    lifecycle_rank: it.lifecycle === null ? Lifecycle.options.length : Lifecycle.options.indexOf(it.lifecycle),
    health_rank: HealthStatus.options.indexOf(it.health_status),
    freshness_rank: Phase.options.indexOf(phaseOf(it, now)),
    resume_adequate: it.resume_adequate,
    verification_rank: it.strongest_signal === null ? 0 : SignalKind.options.indexOf(it.strongest_signal),
    updated_age_seconds: ageSeconds(it.updated_at, now),
  };
}

/** Capsules from the most to the least salient, each with its ranks. No two compare as equal. */
export function bySalience<T>(
  list: readonly T[],
  rankedOf: (it: T) => Ranked,
  now: number,
): (readonly [T, Salience])[] {
  const keyed = list.map((item) => {
    const ranked = rankedOf(item);
    return { item, ranked, key: salienceKey(ranked, now) };
  });
  keyed.sort((a, b) => byKey(a.key, b.key) || byName(a.ranked, b.ranked));
  return keyed.map(({ item, key }, rank) => [item, { rank, sort_key: key }] as const);
}

function byKey(a: SalienceKey, b: SalienceKey): number {
  return (
    a.lifecycle_rank - b.lifecycle_rank ||
    a.health_rank - b.health_rank ||
    a.freshness_rank - b.freshness_rank ||
    Number(b.resume_adequate) - Number(a.resume_adequate) ||
    b.verification_rank - a.verification_rank ||
    oldest(a) - oldest(b)
  );
}

const oldest = ({ updated_age_seconds }: SalienceKey): number => updated_age_seconds ?? Number.MAX_SAFE_INTEGER;

function byName(a: Ranked, b: Ranked): number {
  return (
    byText(a.subject_kind, b.subject_kind) ||
    byText(a.subject_id, b.subject_id) ||
    byText(a.artifact_state, b.artifact_state) ||
    byText(a.path, b.path)
  );
}

/** The summary of a result; null if it is empty. */
export function salienceMetadata(result: readonly Salience[]): SalienceMetadata | null {
  if (result.length === 0) return null;
  const keys = result.map((it) => it.sort_key);
  return {
    sort_applied: true,
    capsule_count: result.length,
    best_lifecycle_rank: Math.min(...keys.map((it) => it.lifecycle_rank)),
    worst_health_rank: Math.max(...keys.map((it) => it.health_rank)),
    worst_freshness_rank: Math.max(...keys.map((it) => it.freshness_rank)),
    all_resume_adequate: keys.every((it) => it.resume_adequate),
  };
}
