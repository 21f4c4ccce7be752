import type { ScheduleCommand } from '../../../compiler/continuity/schedule/command.ts';
import {
  ChangeScheduleAnswer,
  CreateScheduleAnswer,
  GetScheduleAnswer,
  ListScheduleAnswer,
} from '../../../compiler/continuity/schema/schedule/answers.ts';
import {
  AcknowledgeScheduleRequest,
  CreateScheduleRequest,
  ListScheduleQuery,
  RetireScheduleRequest,
  UpdateScheduleRequest,
} from '../../../compiler/continuity/schema/schedule/requests.ts';
import type { ErrorCode } from '../../../compiler/schema/errors.ts';
import type { Call } from '../call.ts';
import { jsonSuccess, operation } from '../operation.ts';
import { value, type Result } from '../result.ts';
import { reading, STORE_ERRORS, STORE_WRITE_ERRORS, writing } from './contracts.ts';
import { changeItem, listItems, readItem, scheduleIdIn } from './schedule-calls.ts';

const ITEMS = '/v1/schedule/items';
const ONE = `${ITEMS}/{schedule_id}`;

const READS = { ...reading('schedule'), method: 'get' } as const;
const WRITES = { ...writing('schedule'), method: 'post' } as const;

const CHANGE_ERRORS = [
  'schedule_invalid',
  'schedule_not_found',
  'schedule_conflict',
  ...STORE_WRITE_ERRORS,
] as const satisfies ErrorCode[];

/** Operations on an agent's schedule, under `--continuity` alone. Nothing here acts by itself when an item is due. */
export const SCHEDULE_OPERATIONS = {
  createScheduleItem: operation({
    ...WRITES,
    path: ITEMS,
    summary: 'Schedule a reminder, or a nudge about a task; a repeated request returns the same item',
    body: CreateScheduleRequest,
    success: { ...jsonSuccess('The item already existed', CreateScheduleAnswer), created: 'It is new' },
    errors: ['schedule_invalid', 'schedule_conflict', 'idempotency_conflict', ...STORE_WRITE_ERRORS],
    run: async (call, { body }) => {
      const { kind, answer } = await changeItem(call, { verb: 'create', request: body });
      const created = kind === 'insert';
      return { ...value({ ...answer, created }), created };
    },
  }),
  listScheduleItems: operation({
    ...READS,
    path: ITEMS,
    summary: 'List the items of a schedule, the earliest first',
    query: ListScheduleQuery,
    success: jsonSuccess('A page of items', ListScheduleAnswer),
    errors: STORE_ERRORS,
    run: async (call, { query }) => value(await listItems(call, query)),
  }),
  getScheduleItem: operation({
    ...READS,
    path: ONE,
    summary: 'Read one item of a schedule',
    success: jsonSuccess('The item and its present state', GetScheduleAnswer),
    errors: ['schedule_invalid', 'schedule_not_found', ...STORE_ERRORS],
    run: async (call, { path }) => value(await readItem(call, scheduleIdIn(path))),
  }),
  updateScheduleItem: operation({
    ...WRITES,
    method: 'patch',
    path: ONE,
    summary: 'Change a pending item',
    body: UpdateScheduleRequest,
    success: jsonSuccess('The item, with its next version', ChangeScheduleAnswer),
    errors: CHANGE_ERRORS,
    run: (call, { path, body: request }) => changed(call, { verb: 'update', schedule_id: scheduleIdIn(path), request }),
  }),
  acknowledgeScheduleItem: operation({
    ...WRITES,
    path: `${ONE}/acknowledge`,
    summary: 'Mark a pending item as seen or done',
    body: AcknowledgeScheduleRequest,
    bodyMayBeAbsent: true,
    success: jsonSuccess('The item, which is no longer due', ChangeScheduleAnswer),
    errors: CHANGE_ERRORS,
    run: (call, { path, body: request }) =>
      changed(call, { verb: 'acknowledge', schedule_id: scheduleIdIn(path), request }),
  }),
  retireScheduleItem: operation({
    ...WRITES,
    path: `${ONE}/retire`,
    summary: 'Retire an item: it is kept, but no longer scheduled',
    body: RetireScheduleRequest,
    bodyMayBeAbsent: true,
    success: jsonSuccess('The item, which lists omit from now on', ChangeScheduleAnswer),
    errors: CHANGE_ERRORS,
    run: (call, { path, body: request }) => changed(call, { verb: 'retire', schedule_id: scheduleIdIn(path), request }),
  }),
};

async function changed(call: Call, command: ScheduleCommand): Promise<Result> {
  const { kind, answer } = await changeItem(call, command);
  return value({ ...answer, updated: kind === 'replace' });
}
