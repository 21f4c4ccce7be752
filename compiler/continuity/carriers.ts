import type { Capsule } from '../schema/continuity/capsule.ts';
import type { Transition } from '../schema/continuity/words.ts';
import { writtenFields } from './capsule/changed-fields.ts';
import { FIRST_LIFECYCLE } from './capsule/lifecycle-machine.ts';

/** The fields of a session-end snapshot; `updated_at` comes with every write. */
const SNAPSHOT_FIELDS = [
  'continuity.open_loops',
  'continuity.top_priorities',
  'continuity.active_constraints',
  'continuity.stance_summary',
  'continuity.negative_decisions',
  'continuity.session_trajectory',
  'continuity.rationale_entries',
  'updated_at',
];

/** How a hook sends what changed in a session. */
export interface Carriers {
  /** Whether a session-end snapshot is enough; otherwise the whole capsule is sent. */
  readonly session_end_snapshot: boolean;
  readonly lifecycle_transition: Transition | null;
  readonly superseded_by: string | null;
}

/**
 * What carries the changes from the capsule that is stored to the one that a hook wants: "use session_end_snapshot only
 * when no write-eligible field outside the snapshot field set changed". A lifecycle never travels in a capsule.
 */
export function carriersFor(stored: Capsule, wanted: Capsule): Carriers {
  const changed = writtenFields(stored, wanted);
  const transition = transitionTo(stored, wanted);
  return {
    session_end_snapshot: changed.every((path) => SNAPSHOT_FIELDS.includes(path)),
    lifecycle_transition: transition,
    superseded_by: transition === 'supersede' ? (wanted.thread_descriptor?.superseded_by ?? null) : null,
  };
}

const TRANSITION_TO = {
  active: 'resume',
  suspended: 'suspend',
  concluded: 'conclude',
  superseded: 'supersede',
} as const satisfies Record<string, Transition>;

function transitionTo(stored: Capsule, wanted: Capsule): Transition | null {
  // a descriptor of an older release may have none
  const before = stored.thread_descriptor && (stored.thread_descriptor.lifecycle ?? FIRST_LIFECYCLE);
  const after = wanted.thread_descriptor?.lifecycle;
  return before === undefined || after === undefined || before === after ? null : TRANSITION_TO[after];
}
