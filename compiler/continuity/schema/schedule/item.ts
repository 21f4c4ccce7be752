import { z } from 'zod';
import { SubjectId } from '../capsule.ts';
import { recordOf } from '../json.ts';
import { text, trimmed } from '../text.ts';
import { SubjectKind } from '../words.ts';
import { SCHEDULE_CHARACTERS } from './limits.ts';

/** A reminder stands alone; a nudge is about a task, a thread or another subject. */
const ScheduleKind = z.enum(['reminder', 'task_nudge']);

/** Only a pending item is ever due; nothing leads back to pending. */
export const ScheduleStatus = z.enum(['pending', 'acknowledged', 'done', 'retired']);

/** The state of an item at the time of asking; it is in answers alone. */
const DerivedState = z.enum(['scheduled', 'due', 'terminal']);

export const ScheduleId = z
  .string()
  .regex(/^sched_[a-z0-9][a-z0-9_-]{0,57}$/, 'write sched_ and lower-case letters, digits, _ and -');

/** "exact UTC seconds strings: YYYY-MM-DDTHH:MM:SSZ. Offsets, local/naive timestamps, and subseconds are rejected" */
export const ScheduleTime = z.iso.datetime({
  offset: false,
  precision: 0,
  error: 'is not a time in UTC: write it with seconds and Z, such as 2027-06-30T23:59:59Z',
});

/** "a flat JSON object with scalar values only"; JSON has no number that is not finite. */
export const ScheduleMetadata = recordOf(
  text(SCHEDULE_CHARACTERS.note),
  z.union([text(SCHEDULE_CHARACTERS.note * 2), z.number(), z.boolean(), z.null()]),
);

/** The texts and links of an item, as an agent writes them. Null means the same as absent. */
export const ITEM = {
  kind: ScheduleKind,
  title: trimmed(SCHEDULE_CHARACTERS.title, 1),
  note: trimmed(SCHEDULE_CHARACTERS.note).nullish(),
  due_at: ScheduleTime,
  task_id: SubjectId.nullish(),
  thread_id: SubjectId.nullish(),
  subject_kind: SubjectKind.nullish(),
  subject_id: SubjectId.nullish(),
  metadata: ScheduleMetadata.nullish(),
};

/** One entry of a schedule, as every answer has it. Times are in UTC, to the second. */
export const ScheduleItem = z.strictObject({
  schedule_id: ScheduleId,
  kind: ScheduleKind,
  status: ScheduleStatus,
  derived_state: DerivedState,
  title: z.string(),
  note: z.string().nullable(),
  due_at: ScheduleTime,
  created_at: ScheduleTime,
  updated_at: ScheduleTime,
  /** Entity URI of its creator. */
  created_by: z.string(),
  updated_by: z.string(),
  /** When, by whom and why it was closed; null while it is pending. */
  terminal_at: ScheduleTime.nullable(),
  terminal_by: z.string().nullable(),
  terminal_reason: z.string().nullable(),
  task_id: z.string().nullable(),
  thread_id: z.string().nullable(),
  subject_kind: SubjectKind.nullable(),
  subject_id: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  metadata: ScheduleMetadata,
  /** Grows by one with each change. */
  version: z.int().positive(),
});

/** An item as it is stored: its present state is derived. */
export const StoredItem = ScheduleItem.omit({ derived_state: true });

export type ScheduleMetadata = z.infer<typeof ScheduleMetadata>;
export type ScheduleItem = z.infer<typeof ScheduleItem>;
export type StoredItem = z.infer<typeof StoredItem>;
