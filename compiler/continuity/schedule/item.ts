import { canonicalJson } from '../../trust/canonical.ts';
import type { ScheduleItem, ScheduleMetadata, StoredItem } from '../schema/schedule/item.ts';
import { SCHEDULE_JSON_BYTES } from '../schema/schedule/limits.ts';
import { invalid } from './refusals.ts';

/** Time of an operation, for all that it compares and writes, and its caller. @property now milliseconds since 1970 */
export interface ScheduleOccasion {
  readonly now: number;
  /** Entity URI. */
  readonly actor: string;
}

/** Seconds since 1970 of a time of the schedule. */
export function secondsOf(time: string): number {
  return Date.parse(time) / 1000;
}

/** An item as answers have it: `due` from the second on that it is due at. */
export function itemAt(stored: StoredItem, now: number): ScheduleItem {
  const { schedule_id, kind, status, ...rest } = stored;
  const isDue = secondsOf(stored.due_at) <= Math.floor(now / 1000);
  const derived_state = status === 'pending' ? (isDue ? 'due' : 'scheduled') : 'terminal';
  return { schedule_id, kind, status, derived_state, ...rest };
}

/** A new due time lies ahead; a reminder of the past would be due before it is stored. @throws schedule_invalid */
export function checkAhead(due_at: string, now: number): void {
  if (secondsOf(due_at) <= Math.floor(now / 1000)) throw invalid('due_at', 'has to be in the future');
}

/** A nudge without a link would be shown to nobody. @throws schedule_invalid */
export function checkLinks({ kind, task_id, thread_id, subject_id }: StoredItem): void {
  if (kind === 'task_nudge' && task_id === null && thread_id === null && subject_id === null)
    throw invalid('kind', 'a task_nudge needs a task_id, a thread_id, or subject_kind with subject_id');
}

/** @throws schedule_invalid if the canonical JSON is larger than it may be */
export function checkMetadata(metadata: ScheduleMetadata): void {
  bounded('metadata', metadata);
}

/** The canonical JSON of a value, in "2048 UTF-8 bytes". @throws schedule_invalid */
export function bounded(field: string, value: unknown, has = 'has'): string {
  const json = canonicalJson(value);
  const bytes = Buffer.byteLength(json);
  if (bytes <= SCHEDULE_JSON_BYTES) return json;
  throw invalid(field, `${has} ${bytes} bytes of canonical JSON; at most ${SCHEDULE_JSON_BYTES} are stored`, {
    bytes,
    limit: SCHEDULE_JSON_BYTES,
  });
}
