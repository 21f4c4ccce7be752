import {
  applyCommand,
  type ScheduleChange,
  type ScheduleCommand,
} from '../../../compiler/continuity/schedule/command.ts';
import type { CreatedItem } from '../../../compiler/continuity/schedule/create.ts';
import { CreateScheduleRequest, UpdateScheduleRequest } from '../../../compiler/continuity/schema/schedule/requests.ts';
import type { ErrorCode } from '../../../compiler/schema/errors.ts';
import { ago, NOW, type Json } from '../capsules.ts';

export const ACTOR = 'acme/agent/assistant';

/** A time so many seconds after `NOW`. */
export const inSeconds = (seconds: number): string => ago(-seconds);

/** A creation, as a door hands it in. */
export const createOf = (more: Json = {}): CreateScheduleRequest =>
  CreateScheduleRequest.parse({ kind: 'reminder', title: 'ask Ann', due_at: inSeconds(3600), ...more });

export const updateOf = (more: Json): UpdateScheduleRequest =>
  UpdateScheduleRequest.parse({ expected_version: 1, ...more });

/** A schedule in memory, that commands change one after the other. */
export function scheduleInMemory() {
  const known = new Map<string, CreatedItem>();
  const stored = {
    byId: (id: string) => known.get(id) ?? null,
    byKey: (key: string) => [...known.values()].find(({ item }) => item.idempotency_key === key) ?? null,
  };
  const apply = (command: ScheduleCommand, now = NOW, actor = ACTOR): ScheduleChange => {
    const change = applyCommand(command, stored, { now, actor });
    const { schedule_id } = change.item;
    if (change.kind === 'insert') known.set(schedule_id, change.proposed);
    const before = known.get(schedule_id);
    if (change.kind === 'replace' && before) known.set(schedule_id, { ...before, item: change.item });
    return change;
  };
  const create = (more: Json = {}, now = NOW, actor = ACTOR) =>
    apply({ verb: 'create', request: createOf(more) }, now, actor);
  return { apply, create, known };
}

/** The codes that a schedule refuses with; the tests of this folder bring each about. */
export const SCHEDULE_CODES: readonly ErrorCode[] = ['schedule_invalid', 'schedule_not_found', 'schedule_conflict'];
