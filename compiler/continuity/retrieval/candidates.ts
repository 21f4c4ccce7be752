import { phaseOf } from '../capsule/freshness.ts';
import { bySalience, type Ranked } from '../capsule/salience.ts';
import { healthOf, isAdequate } from '../capsule/state-of.ts';
import { trustSignals } from '../capsule/trust-signals.ts';
import type { Capsule } from '../schema/capsule.ts';
import type { RetrieveRequest, RetrieveWarning } from '../schema/reading/retrieve.ts';
import type { RecoveryWarning } from '../schema/warnings.ts';
import { HealthStatus, type Phase } from '../schema/words.ts';
import { resolve, type Resolved } from '../stored/resolve.ts';
import type { StoredSubject, SubjectFiles } from '../stored/subject.ts';
import type { CapsuleCandidate } from './trim.ts';

/** The files that a store holds of one of the subjects that `selectorsOf` names. */
export interface HeldSubject {
  readonly subject: StoredSubject;
  readonly files: SubjectFiles;
}

/** The capsules that may be returned, and the warnings about all requested capsules. */
export interface CapsuleCandidates {
  readonly candidates: readonly CapsuleCandidate[];
  readonly warnings: readonly RetrieveWarning[];
  readonly recovery_warnings: readonly RecoveryWarning[];
}

type Loaded = Resolved & { readonly capsule: Capsule; readonly path: string };

/** The capsules that the policies let through: first those that a policy prefers, then the more salient ones. */
export function capsuleCandidatesOf(
  request: RetrieveRequest,
  found: readonly HeldSubject[],
  now: number,
): CapsuleCandidates {
  const needsActive = request.continuity_resilience_policy === 'require_active';
  const needsHealth = request.continuity_verification_policy === 'require_healthy';
  const resolved = found.map(({ files }) => ({ ...resolve(files), path: files.path }));
  const loaded = resolved.filter((it): it is Loaded => it.capsule !== null);
  const allowed = loaded.filter((it) => !needsActive || it.source_state === 'active');
  const healthy = allowed.filter((it) => !needsHealth || healthOf(it.capsule).status === 'healthy');
  // a stable sort: capsules that a policy does not distinguish stay in the order of salience
  const ranked = bySalience(healthy, rankedOf, now).sort(([a], [b]) => preference(request, a) - preference(request, b));
  const candidates = ranked.map(([{ capsule, source_state }, { sort_key }], rank) => ({
    capsule,
    source_state,
    salience: { rank, sort_key },
    signals: trustSignals(capsule, source_state, now),
  }));
  const warnings = ranked.flatMap(([{ capsule }]) => warningsOf(capsule, now));
  const recovery = resolved.flatMap((it) => it.recovery_warnings);
  return {
    candidates,
    warnings: healthy.length < allowed.length ? [...warnings, 'continuity_unhealthy_omitted'] : warnings,
    recovery_warnings: recovery.filter((it) => !needsActive || it !== 'continuity_fallback_used'),
  };
}

function preference(request: RetrieveRequest, { capsule, source_state }: Loaded): number {
  const prefersHealth = request.continuity_verification_policy === 'prefer_healthy';
  const prefersActive = request.continuity_resilience_policy === 'prefer_active';
  const health = prefersHealth ? HealthStatus.options.indexOf(healthOf(capsule).status) : 0;
  return health * 2 + Number(prefersActive && source_state === 'fallback');
}

const STALE: Readonly<Partial<Record<Phase, RetrieveWarning>>> = {
  stale_soft: 'continuity_stale_soft',
  stale_hard: 'continuity_stale_hard',
  expired_by_age: 'continuity_expired',
  expired: 'continuity_expired',
};

function warningsOf(capsule: Capsule, now: number): RetrieveWarning[] {
  const { status } = healthOf(capsule);
  const stale = STALE[phaseOf(capsule, now)];
  return [...(stale ? [stale] : []), ...(status === 'healthy' ? [] : [`continuity_${status}` as const])];
}

function rankedOf({ capsule, source_state, path }: Loaded): Ranked {
  const { subject_kind, subject_id, updated_at, verified_at, freshness } = capsule;
  return {
    subject_kind,
    subject_id,
    updated_at,
    verified_at,
    freshness,
    lifecycle: capsule.thread_descriptor?.lifecycle ?? null,
    health_status: healthOf(capsule).status,
    strongest_signal: capsule.verification_state?.strongest_signal ?? null,
    resume_adequate: isAdequate(capsule),
    artifact_state: source_state,
    path,
  };
}
