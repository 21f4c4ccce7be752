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
import { jsonSuccess, operation, type PathNames } from '../operation.ts';
import { value } from '../result.ts';
import { audited } from './audited.ts';
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

/** The body of a request about one item. */
interface About<B> {
  readonly path: PathNames;
  readonly body: B;
}

/** Operations on an agent's schedule, under `--continuity` alone. Nothing here acts by itself when an item is due. */
export const SCHEDULE_OPERATIONS = {
  createScheduleItem: operation({
    ...WRITES,
    path: ITEMS,
    summary: 'Schedule a reminder, or a nudge about a task; a repeated request returns the same item',
    body: CreateScheduleRequest,
    success: { ...jsonSuccess('The item already existed', CreateScheduleAnswer), created: 'It is new' },
    errors: ['schedule_invalid', 'schedule_conflict', 'idempotency_conflict', ...STORE_WRITE_ERRORS],
    ...audited('createScheduleItem', async (call, { body }: Pick<About<CreateScheduleRequest>, 'body'>) => {
      const { kind, answer } = await changeItem(call, { verb: 'create', request: body });
      const created = kind === 'insert';
      return { ...value({ ...answer, created }), created };
    }),
  }),
  listScheduleItems: operation({
    ...READS,
    path: ITEMS,
    summary: 'List the items of a schedule, the earliest first',
    query: ListScheduleQuery,
    success: jsonSuccess('A page of items', ListScheduleAnswer),
    errors: STORE_ERRORS,
    ...audited('listScheduleItems', async (call, { query }: { readonly query: ListScheduleQuery }) =>
      value(await listItems(call, query)),
    ),
  }),
  getScheduleItem: operation({
    ...READS,
    path: ONE,
    summary: 'Read one item of a schedule',
    success: jsonSuccess('The item and its present state', GetScheduleAnswer),
    errors: ['schedule_invalid', 'schedule_not_found', ...STORE_ERRORS],
    ...audited('getScheduleItem', async (call, { path }: { readonly path: PathNames }) =>
      value(await readItem(call, scheduleIdIn(path))),
    ),
  }),
  updateScheduleItem: operation({
    ...WRITES,
    method: 'patch',
    path: ONE,
    summary: 'Change a pending item',
    body: UpdateScheduleRequest,
    success: jsonSuccess('The item, with its next version', ChangeScheduleAnswer),
    errors: CHANGE_ERRORS,
    ...audited('updateScheduleItem', async (call, { path, body }: About<UpdateScheduleRequest>) => {
      const schedule_id = scheduleIdIn(path);
      const { kind, answer } = await changeItem(call, { verb: 'update', schedule_id, request: body });
      return value({ ...answer, updated: kind === 'replace' });
    }),
  }),
  acknowledgeScheduleItem: operation({
    ...WRITES,
    path: `${ONE}/acknowledge`,
    summary: 'Mark a pending item as seen or done',
    body: AcknowledgeScheduleRequest,
    bodyMayBeAbsent: true,
    success: jsonSuccess('The item, which is no longer due', ChangeScheduleAnswer),
    errors: CHANGE_ERRORS,
    ...audited('acknowledgeScheduleItem', async (call, { path, body }: About<AcknowledgeScheduleRequest>) => {
      const schedule_id = scheduleIdIn(path);
      const { kind, answer } = await changeItem(call, { verb: 'acknowledge', schedule_id, request: body });
      return value({ ...answer, updated: kind === 'replace' });
    }),
  }),
  retireScheduleItem: operation({
    ...WRITES,
    path: `${ONE}/retire`,
    summary: 'Retire an item: it is kept, but no longer scheduled',
    body: RetireScheduleRequest,
    bodyMayBeAbsent: true,
    success: jsonSuccess('The item, which lists omit from now on', ChangeScheduleAnswer),
    errors: CHANGE_ERRORS,
    ...audited('retireScheduleItem', async (call, { path, body }: About<RetireScheduleRequest>) => {
      const schedule_id = scheduleIdIn(path);
      const { kind, answer } = await changeItem(call, { verb: 'retire', schedule_id, request: body });
      return value({ ...answer, updated: kind === 'replace' });
    }),
  }),
};
