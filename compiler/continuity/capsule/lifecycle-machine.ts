import type { Capsule, ThreadDescriptor } from '../schema/capsule.ts';
import type { Lifecycle, Transition } from '../schema/words.ts';
import { conflict, refuse, type Fault } from './refusals.ts';

/** From where a transition leads where; concluded and superseded are ends. */
const TRANSITIONS: Readonly<Record<Lifecycle, Readonly<Partial<Record<Transition, Lifecycle>>>>> = {
  active: { suspend: 'suspended', conclude: 'concluded', supersede: 'superseded' },
  suspended: { resume: 'active', conclude: 'concluded', supersede: 'superseded' },
  concluded: {},
  superseded: {},
};

/** The lifecycle of a descriptor that was never moved. */
export const FIRST_LIFECYCLE: Lifecycle = 'active';

/** Whether a start needs a capsule: a concluded or superseded thread is closed. */
export function isOpen(capsule: { readonly thread_descriptor?: ThreadDescriptor | null | undefined }): boolean {
  return !['concluded', 'superseded'].includes(capsule.thread_descriptor?.lifecycle ?? FIRST_LIFECYCLE);
}

/** A transition as a request carries it. */
export interface Move {
  readonly transition: Transition;
  readonly superseded_by?: string | null | undefined;
}

/**
 * Faults of a transition: a successor without `supersede`, the other way round, and a thread that would be its own
 * successor. Whether the successor has a capsule already is not checked: a thread may be superseded before the next one
 * is written.
 *
 * @param subjectId of the thread that moves
 */
export function moveFaults(
  transition: Transition | null | undefined,
  successor: string | null | undefined,
  subjectId: string,
): readonly Fault[] {
  const field = 'superseded_by';
  if (transition === 'supersede') return successorFaults(successor, subjectId, field);
  return isNamed(successor) ? [{ field, message: 'only supersede names a successor' }] : [];
}

/** Faults of a descriptor that no transition has moved, and whose own text says that it is superseded. */
function firstFaults({ lifecycle, superseded_by }: ThreadDescriptor, subjectId: string): readonly Fault[] {
  const field = 'thread_descriptor.superseded_by';
  return lifecycle === 'superseded' ? successorFaults(superseded_by, subjectId, field) : [];
}

function successorFaults(successor: string | null | undefined, subjectId: string, field: string): readonly Fault[] {
  if (!isNamed(successor)) return [{ field, message: 'name the subject_id of the successor' }];
  return successor === subjectId ? [{ field, message: 'a thread cannot be its own successor' }] : [];
}

/** White space is not a name. */
function isNamed(successor: string | null | undefined): boolean {
  return (successor ?? '').trim() !== '';
}

/** A descriptor after a transition. Throws `capsule_conflict` where the stored lifecycle does not allow it. */
export function moved(descriptor: ThreadDescriptor, { transition, superseded_by }: Move): ThreadDescriptor {
  const from = descriptor.lifecycle ?? FIRST_LIFECYCLE;
  const to = TRANSITIONS[from][transition];
  if (to === undefined)
    throw conflict(`${transition} is not possible: the thread is ${from}`, { lifecycle: from, transition });
  return placed(descriptor, to, superseded_by ?? undefined);
}

/**
 * A capsule in place of another: only a transition moves its lifecycle, whatever the new capsule says. A moved
 * descriptor stays if the new capsule has none, since a lifecycle has no other place.
 *
 * @throws VadeError `capsule_invalid` for a first descriptor that is superseded without a successor
 */
export function unmoved(capsule: Capsule, before: Capsule | null): Capsule {
  const known = before?.thread_descriptor;
  const isMoved = known?.lifecycle !== undefined && known.lifecycle !== FIRST_LIFECYCLE;
  const descriptor = capsule.thread_descriptor ?? (isMoved ? known : undefined);
  if (!descriptor) return capsule;
  if (!known) refuse(firstFaults(descriptor, capsule.subject_id));
  const { lifecycle = FIRST_LIFECYCLE, superseded_by } = known ?? descriptor;
  return { ...capsule, thread_descriptor: placed(descriptor, lifecycle, superseded_by) };
}

/** A descriptor in a state; only a superseded one has a successor. */
function placed(descriptor: ThreadDescriptor, lifecycle: Lifecycle, successor?: string): ThreadDescriptor {
  const { superseded_by: _, ...rest } = descriptor;
  return {
    ...rest,
    lifecycle,
    ...(lifecycle === 'superseded' && successor !== undefined && { superseded_by: successor }),
  };
}
