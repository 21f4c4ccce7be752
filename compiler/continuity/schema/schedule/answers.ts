import { z } from 'zod';
import { ContentKind } from '../words.ts';
import { ScheduleItem } from './item.ts';

/** Warnings of a schedule that has answered all the same. */
export const ScheduleWarning = z.enum([
  /** There was no database, and an empty one was made. */
  'schedule_db_missing',
  'schedule_db_unavailable',
  /** A row that does not keep to the schema is left out. */
  'schedule_rows_skipped',
  /** The key does not have the namespace. */
  'schedule_source_denied',
]);

const warnings = z.array(ScheduleWarning);
const ANSWER = { ok: z.literal(true), warnings, content_kind: ContentKind };

export const CreateScheduleAnswer = z.strictObject({ ...ANSWER, created: z.boolean(), item: ScheduleItem });

export const GetScheduleAnswer = z.strictObject({ ...ANSWER, item: ScheduleItem });

/** Of an update and of a closing: whether it changed anything. */
export const ChangeScheduleAnswer = z.strictObject({ ...ANSWER, updated: z.boolean(), item: ScheduleItem });

export const ListScheduleAnswer = z.strictObject({
  ...ANSWER,
  count: z.int(),
  /** Of all pages. */
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  /** The next due item comes first. */
  items: z.array(ScheduleItem),
});

const listed = { items: z.array(ScheduleItem), count: z.int(), truncated: z.boolean() };

/** The items that are due, and those that will be soon, for the subjects of a startup view or a retrieval. */
export const ScheduleContext = z.strictObject({
  due: z.strictObject(listed),
  upcoming: z.strictObject({ window_hours: z.int(), ...listed }),
  warnings,
});

export type ScheduleWarning = z.infer<typeof ScheduleWarning>;
export type GetScheduleAnswer = z.infer<typeof GetScheduleAnswer>;
export type ChangeScheduleAnswer = z.infer<typeof ChangeScheduleAnswer>;
export type ListScheduleAnswer = z.infer<typeof ListScheduleAnswer>;
export type ScheduleContext = z.infer<typeof ScheduleContext>;
