import { candidateFor } from './candidate.ts';
import { changedFields } from './capsule/changed-fields.ts';
import { signalFaults, strongestOf } from './capsule/signals.ts';
import type { CompareAnswer, CompareRequest, VerificationOutcome } from './schema/compare.ts';
import type { SignalKind } from './schema/words.ts';
import { requireActive } from './stored/resolve.ts';
import type { Occasion, SubjectFiles } from './stored/subject.ts';

/**
 * `POST /v1/continuity/compare`: in what a candidate differs from the active capsule, and what to do about it. Nothing
 * is changed.
 *
 * @throws VadeError `capsule_not_found`, `capsule_damaged`, `capsule_invalid`
 */
export function compare(request: CompareRequest, files: SubjectFiles, { now }: Pick<Occasion, 'now'>): CompareAnswer {
  const active = requireActive(files);
  const faults = signalFaults(request.signals, now);
  const candidate = candidateFor(request.candidate_capsule, request, active, now, faults);
  const changed_fields = changedFields(active, candidate);
  const strongest_signal = strongestOf(request.signals);
  return {
    ok: true,
    path: files.path,
    identical: changed_fields.length === 0,
    changed_fields,
    strongest_signal,
    recommended_outcome: recommended(changed_fields.length === 0, strongest_signal),
    content_kind: 'agent_authored',
  };
}

/** Differences are corrected on the word of anybody but the agent itself; on its own word alone they are a conflict. */
function recommended(isIdentical: boolean, strongest: SignalKind): VerificationOutcome {
  if (isIdentical) return 'confirm';
  return strongest === 'self_review' ? 'conflict' : 'correct';
}
