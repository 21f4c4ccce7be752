import { candidateFor } from './candidate.ts';
import { changedFields } from './capsule/changed-fields.ts';
import { timeOf } from './capsule/clock.ts';
import { unmoved } from './capsule/lifecycle-machine.ts';
import { refuse } from './capsule/refusals.ts';
import { CONFIRMED, evidenceOf, signalFaults, strongestOf } from './capsule/signals.ts';
import { checkNewer } from './capsule/stale-write.ts';
import { verificationOf } from './capsule/state-of.ts';
import type { Capsule } from './schema/capsule.ts';
import type { RevalidateAnswer, RevalidateRequest, VerificationOutcome } from './schema/compare.ts';
import type { CapsuleHealth, VerificationState } from './schema/verification.ts';
import type { HealthStatus, SignalKind, VerificationStatus } from './schema/words.ts';
import { changeable, storeChanged } from './stored/change-active.ts';
import { messageFor, type MakeFallback } from './stored/persist.ts';
import { requireActive } from './stored/resolve.ts';
import type { SubjectChange, Occasion, SubjectFiles } from './stored/subject.ts';

/**
 * `POST /v1/continuity/revalidate`: confirms the active capsule, replaces it by a corrected one, or marks it as
 * degraded or conflicted.
 *
 * @throws VadeError `capsule_not_found`, `capsule_damaged`, `capsule_invalid`; `capsule_stale` if a correction is older
 */
export function revalidate(
  request: RevalidateRequest,
  files: SubjectFiles,
  { now }: Occasion,
  makeFallback?: MakeFallback,
): SubjectChange<RevalidateAnswer> {
  const judged = judge(subjectOf(request, files, now), request, now);
  const { writes, ...changed } = storeChanged(files, judged, now, makeFallback);
  return {
    writes,
    message: messageFor('revalidate', request.subject_kind, request.subject_id, null),
    answer: {
      ok: true,
      path: files.path,
      durable: true,
      ...changed,
      outcome: request.outcome,
      verification_state: judged.verification_state,
      capsule_health: judged.capsule_health,
      content_kind: 'agent_authored',
    },
  };
}

/** The capsule that is judged: the active one, or its correction. */
function subjectOf(request: RevalidateRequest, files: SubjectFiles, now: number): Capsule {
  const { candidate_capsule, outcome } = request;
  const faults = signalFaults(request.signals, now);
  if (outcome !== 'correct' || !candidate_capsule) {
    refuse(faults);
    // a confirmation says itself when it was
    return outcome === 'confirm' ? requireActive(files) : changeable(files);
  }
  const active = requireActive(files);
  const candidate = unmoved(candidateFor(candidate_capsule, request, active, now, faults), active);
  if (changedFields(active, candidate).length > 0) checkNewer(candidate.updated_at, active.updated_at, now);
  return candidate;
}

type Judged = Capsule & { verification_state: VerificationState; capsule_health: CapsuleHealth };

const HEALTH: Readonly<Record<VerificationOutcome, HealthStatus>> = {
  confirm: 'healthy',
  correct: 'healthy',
  degrade: 'degraded',
  conflict: 'conflicted',
};

function judge(capsule: Capsule, { outcome, signals, reason }: RevalidateRequest, now: number): Judged {
  const time = timeOf(now);
  const strongest_signal = strongestOf(signals);
  const isConfirmed = HEALTH[outcome] === 'healthy';
  return {
    ...capsule,
    ...(isConfirmed && { verified_at: time, verification_kind: strongest_signal }),
    verification_state: {
      status: statusAfter(capsule, outcome, strongest_signal),
      last_revalidated_at: time,
      strongest_signal,
      evidence_refs: evidenceOf(signals),
      ...(outcome === 'conflict' && reason && { conflict_summary: reason }),
    },
    capsule_health: {
      status: HEALTH[outcome],
      reasons: !isConfirmed && reason ? [reason] : [],
      last_checked_at: time,
    },
  };
}

/** Signals that degrade a capsule do not confirm it: it stays as verified as it was. */
function statusAfter(capsule: Capsule, outcome: VerificationOutcome, strongest: SignalKind): VerificationStatus {
  if (outcome === 'conflict') return 'conflicted';
  return outcome === 'degrade' ? verificationOf(capsule) : CONFIRMED[strongest];
}
