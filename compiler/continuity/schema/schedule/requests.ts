import { z } from 'zod';
import { wholeNumber } from '../../../schema/whole-number.ts';
import { SubjectId } from '../capsule.ts';
import { text, trimmed } from '../text.ts';
import { SubjectKind } from '../words.ts';
import { ITEM, ScheduleId, ScheduleStatus } from './item.ts';
import { SCHEDULE_CHARACTERS, SCHEDULE_ROWS } from './limits.ts';

interface Subject {
  readonly subject_kind?: string | null | undefined;
  readonly subject_id?: string | null | undefined;
}

/** Two members that mean something only together. */
const TOGETHER = { path: ['subject_id'], message: 'subject_kind and subject_id come together' };

const isPair = ({ subject_kind, subject_id }: Subject): boolean =>
  ((subject_kind ?? null) === null) === ((subject_id ?? null) === null);

export const CreateScheduleRequest = z
  .strictObject({
    schedule_id: ScheduleId.nullish(),
    idempotency_key: text(SCHEDULE_CHARACTERS.idempotency_key, 1).nullish(),
    ...ITEM,
  })
  .refine(isPair, TOGETHER);

const ItemVersion = z.int().positive();

const { kind, title, note, due_at, task_id, thread_id, subject_kind, subject_id, metadata } = ITEM;

/** The changes of a pending item: absent members stay, null clears optional ones. */
export const UpdateScheduleRequest = z
  .strictObject({
    expected_version: ItemVersion,
    kind: kind.optional(),
    title: title.optional(),
    note,
    due_at: due_at.optional(),
    task_id,
    thread_id,
    subject_kind,
    subject_id,
    metadata,
  })
  .refine(isPair, TOGETHER)
  .refine((it) => 'subject_kind' in it === 'subject_id' in it, TOGETHER)
  .refine((it) => Object.keys(it).some((name) => name !== 'expected_version'), 'name at least one field to change');

/** The members of a request that closes an item: with a version, it closes it only if the item is still the same. */
const CLOSING = { expected_version: ItemVersion.nullish(), reason: trimmed(SCHEDULE_CHARACTERS.reason).nullish() };

export const AcknowledgeScheduleRequest = z.strictObject({
  ...CLOSING,
  status: z.enum(['acknowledged', 'done']).nullish().meta({ default: 'acknowledged' }),
});

export const RetireScheduleRequest = z.strictObject(CLOSING);

const flag = z.enum(['true', 'false']).optional();

/** Filters of a list of items; several filters have to match together. */
export const ListScheduleQuery = z
  .strictObject({
    status: ScheduleStatus.optional(),
    due: flag.meta({ description: '`true`: pending and due; `false`: pending and in the future' }),
    task_id: SubjectId.optional(),
    thread_id: SubjectId.optional(),
    subject_kind: SubjectKind.optional().meta({ description: 'With subject_id' }),
    subject_id: SubjectId.optional().meta({ description: 'With subject_kind' }),
    include_retired: flag.meta({ description: 'Without a status: whether retired items are listed too' }),
    limit: wholeNumber(1, SCHEDULE_ROWS.most).default(SCHEDULE_ROWS.default),
    offset: wholeNumber(0, SCHEDULE_ROWS.mostOffset).default(0),
  })
  .refine(isPair, TOGETHER);

export type CreateScheduleRequest = z.infer<typeof CreateScheduleRequest>;
export type UpdateScheduleRequest = z.infer<typeof UpdateScheduleRequest>;
export type AcknowledgeScheduleRequest = z.infer<typeof AcknowledgeScheduleRequest>;
export type RetireScheduleRequest = z.infer<typeof RetireScheduleRequest>;
export type ListScheduleQuery = z.output<typeof ListScheduleQuery>;
