import type { ScheduleChange, ScheduleCommand } from '../../../compiler/continuity/schedule/command.ts';
import { itemAt } from '../../../compiler/continuity/schedule/item.ts';
import { invalid, notFound } from '../../../compiler/continuity/schedule/refusals.ts';
import type {
  ChangeScheduleAnswer,
  GetScheduleAnswer,
  ListScheduleAnswer,
} from '../../../compiler/continuity/schema/schedule/answers.ts';
import { ScheduleId } from '../../../compiler/continuity/schema/schedule/item.ts';
import type { ListScheduleQuery } from '../../../compiler/continuity/schema/schedule/requests.ts';
import { callerUri } from '../../auth/authorize.ts';
import type { Call } from '../call.ts';
import type { PathNames } from '../operation.ts';
import { continuityOf, ownerOf } from './capsule-calls.ts';

/** The item that a path names. @throws schedule_invalid */
export function scheduleIdIn({ schedule_id }: PathNames): string {
  const parsed = ScheduleId.safeParse(schedule_id);
  if (!parsed.success) throw invalid('schedule_id', 'is not the id of an item: ids begin with sched_');
  return parsed.data;
}

/**
 * Changes the caller's schedule, at one instant.
 *
 * @throws schedule_invalid, schedule_conflict, schedule_not_found, idempotency_conflict, secret_refused,
 *   continuity_unavailable, continuity_disabled
 */
export async function changeItem(
  call: Call,
  command: ScheduleCommand,
): Promise<{ kind: ScheduleChange['kind']; answer: Omit<ChangeScheduleAnswer, 'updated'> }> {
  const now = call.services.now();
  const occasion = { now, actor: callerUri(call) };
  const { change, warnings } = await continuityOf(call).schedule.change(ownerOf(call), command, occasion);
  return {
    kind: change.kind,
    answer: { ok: true, item: itemAt(change.item, now), warnings, content_kind: 'agent_authored' },
  };
}

/** @throws schedule_not_found, continuity_unavailable, continuity_disabled */
export async function readItem(call: Call, schedule_id: string): Promise<GetScheduleAnswer> {
  const now = call.services.now();
  const { found, warnings } = await continuityOf(call).schedule.read(ownerOf(call), now, (it) => it.get(schedule_id));
  if (found === null) throw notFound(schedule_id);
  return { ok: true, item: itemAt(found, now), warnings, content_kind: 'agent_authored' };
}

/** @throws continuity_unavailable, continuity_disabled */
export async function listItems(call: Call, query: ListScheduleQuery): Promise<ListScheduleAnswer> {
  const now = call.services.now();
  const { schedule } = continuityOf(call);
  const { found, warnings } = await schedule.read(ownerOf(call), now, (it) => it.list(query, Math.floor(now / 1000)));
  const items = found.items.map((it) => itemAt(it, now));
  const { limit, offset } = query;
  return {
    ok: true,
    count: items.length,
    total: found.total,
    limit,
    offset,
    items,
    warnings: found.skipped ? [...warnings, 'schedule_rows_skipped'] : warnings,
    content_kind: 'agent_authored',
  };
}
