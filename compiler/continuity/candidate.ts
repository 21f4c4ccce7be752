import type { Capsule } from '../schema/continuity/capsule.ts';
import type { CapsuleDraft } from '../schema/continuity/draft.ts';
import { complete } from './capsule/check.ts';
import { checkClocks } from './capsule/clock.ts';
import { FIRST_LIFECYCLE, placed } from './capsule/lifecycle-machine.ts';
import { invalid } from './capsule/refusals.ts';
import { stampEntries } from './capsule/stamp.ts';
import type { Subject } from './stored/subject.ts';

/**
 * A candidate as it would be stored in place of the active capsule: normalised, with the entry times and the lifecycle
 * that the system manages, where it says nothing of them. Throws `capsule_invalid`.
 *
 * @param now milliseconds since 1970
 */
export function candidateFor(draft: CapsuleDraft, subject: Subject, active: Capsule, now: number): Capsule {
  if (draft.subject_kind !== subject.subject_kind || draft.subject_id !== subject.subject_id)
    throw invalid('candidate_capsule.subject_id', 'the candidate is of another subject than the request');
  checkClocks(draft, now);
  return stampEntries(withLifecycle(complete(draft).capsule, active), active, now);
}

function withLifecycle(candidate: Capsule, active: Capsule): Capsule {
  const { thread_descriptor } = candidate;
  if (!thread_descriptor || thread_descriptor.lifecycle) return candidate;
  const { lifecycle = FIRST_LIFECYCLE, superseded_by } = active.thread_descriptor ?? {};
  return { ...candidate, thread_descriptor: placed(thread_descriptor, lifecycle, superseded_by) };
}
