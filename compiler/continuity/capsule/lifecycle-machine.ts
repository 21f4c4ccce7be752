import type { ThreadDescriptor } from '../../schema/continuity/capsule.ts';
import type { Lifecycle, Transition } from '../../schema/continuity/words.ts';
import { conflict, invalid } from './refusals.ts';

/** From where a transition leads where; concluded and superseded are ends. */
const TRANSITIONS: Readonly<Record<Lifecycle, Readonly<Partial<Record<Transition, Lifecycle>>>>> = {
  active: { suspend: 'suspended', conclude: 'concluded', supersede: 'superseded' },
  suspended: { resume: 'active', conclude: 'concluded', supersede: 'superseded' },
  concluded: {},
  superseded: {},
};

/** What a descriptor says that has never been moved. */
export const FIRST_LIFECYCLE: Lifecycle = 'active';

/** A transition as a request carries it. */
export interface Move {
  readonly transition: Transition;
  readonly superseded_by?: string | null | undefined;
}

/**
 * Refuses a successor without `supersede`, the other way round, and a thread that would be its own.
 *
 * @param subjectId of the thread that moves
 */
export function checkMove(
  transition: Transition | null | undefined,
  successor: string | null | undefined,
  subjectId: string,
): void {
  const supersedes = transition === 'supersede';
  const isNamed = (successor ?? '') !== '';
  if (supersedes && !isNamed) throw invalid('superseded_by', 'supersede names the subject_id of the successor');
  if (!supersedes && isNamed) throw invalid('superseded_by', 'only supersede names a successor');
  if (supersedes && successor === subjectId) throw invalid('superseded_by', 'a thread cannot be its own successor');
}

/** A descriptor after a transition. Throws `capsule_conflict` where the stored lifecycle does not allow it. */
export function moved(descriptor: ThreadDescriptor, { transition, superseded_by }: Move): ThreadDescriptor {
  const from = descriptor.lifecycle ?? FIRST_LIFECYCLE;
  const to = TRANSITIONS[from][transition];
  if (to === undefined)
    throw conflict(`${transition} is not possible: the thread is ${from}`, { lifecycle: from, transition });
  return placed(descriptor, to, superseded_by ?? undefined);
}

/** A new descriptor in place of another: only a transition moves it. The first one says itself where it begins. */
export function unmoved(descriptor: ThreadDescriptor, before: ThreadDescriptor | undefined): ThreadDescriptor {
  const { lifecycle = FIRST_LIFECYCLE, superseded_by } = before ?? descriptor;
  return placed(descriptor, lifecycle, superseded_by);
}

/** A descriptor in a state; only a superseded one has a successor. */
export function placed(descriptor: ThreadDescriptor, lifecycle: Lifecycle, successor?: string): ThreadDescriptor {
  const { superseded_by: _, ...rest } = descriptor;
  return {
    ...rest,
    lifecycle,
    ...(lifecycle === 'superseded' && successor !== undefined && { superseded_by: successor }),
  };
}
