import { draftClockFaults } from './capsule/clock.ts';
import { complete } from './capsule/complete-capsule.ts';
import { unmoved } from './capsule/lifecycle-machine.ts';
import type { Fault } from './capsule/refusals.ts';
import { stampEntries } from './capsule/stamp.ts';
import type { Capsule } from './schema/capsule.ts';
import type { CapsuleDraft } from './schema/draft.ts';
import type { StoredSubject } from './stored/subject.ts';

/**
 * A candidate as it would be stored in place of the active capsule: normalised, with the entry times and the lifecycle
 * that the system manages, where it says nothing of them. Throws `capsule_invalid`.
 *
 * @param known faults of the request that were found before
 * @param now milliseconds since 1970
 */
export function candidateFor(
  draft: CapsuleDraft,
  subject: StoredSubject,
  active: Capsule,
  now: number,
  known: readonly Fault[] = [],
): Capsule {
  const isOther = draft.subject_kind !== subject.subject_kind || draft.subject_id !== subject.subject_id;
  const other = {
    field: 'candidate_capsule.subject_id',
    message: 'the candidate has another subject than the request',
  };
  const faults = [...known, ...(isOther ? [other] : []), ...draftClockFaults(draft, now)];
  const { capsule } = complete(draft, faults);
  return stampEntries(withLifecycle(capsule, active), active, now);
}

/** A candidate that says where its thread is, is compared as it says. */
function withLifecycle(candidate: Capsule, active: Capsule): Capsule {
  return candidate.thread_descriptor?.lifecycle ? candidate : unmoved(candidate, active);
}
