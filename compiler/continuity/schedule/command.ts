import type { StoredItem } from '../schema/schedule/item.ts';
import type {
  AcknowledgeScheduleRequest,
  CreateScheduleRequest,
  RetireScheduleRequest,
  UpdateScheduleRequest,
} from '../schema/schedule/requests.ts';
import { acknowledged, retired, updated } from './change.ts';
import { propose, replayOf, type CreatedItem } from './create.ts';
import type { ScheduleOccasion } from './item.ts';
import { notFound } from './refusals.ts';

/** A request to change a schedule, parsed by the schema of its operation. */
export type ScheduleCommand =
  | { readonly verb: 'create'; readonly request: CreateScheduleRequest }
  | { readonly verb: 'update'; readonly schedule_id: string; readonly request: UpdateScheduleRequest }
  | { readonly verb: 'acknowledge'; readonly schedule_id: string; readonly request: AcknowledgeScheduleRequest }
  | { readonly verb: 'retire'; readonly schedule_id: string; readonly request: RetireScheduleRequest };

/** The lookups in a stored schedule. */
export interface StoredSchedule {
  readonly byId: (schedule_id: string) => CreatedItem | null;
  readonly byKey: (idempotency_key: string) => CreatedItem | null;
}

/** The result of a command: an item to insert, one to replace, or one that stays as it is. */
export type ScheduleChange =
  | { readonly kind: 'insert'; readonly proposed: CreatedItem; readonly item: StoredItem }
  | { readonly kind: 'replace' | 'same'; readonly item: StoredItem };

/**
 * Applies a command to what is stored; pure, and all or nothing.
 *
 * @throws schedule_invalid, schedule_conflict, schedule_not_found, idempotency_conflict
 */
export function applyCommand(
  command: ScheduleCommand,
  stored: StoredSchedule,
  occasion: ScheduleOccasion,
): ScheduleChange {
  if (command.verb === 'create') return create(command.request, stored, occasion);
  const { item } = stored.byId(command.schedule_id) ?? {};
  if (item === undefined) throw notFound(command.schedule_id);
  const next = changed(item, command, occasion);
  return { kind: next === item ? 'same' : 'replace', item: next };
}

function create(request: CreateScheduleRequest, stored: StoredSchedule, occasion: ScheduleOccasion): ScheduleChange {
  const proposed = propose(request, occasion);
  const { schedule_id, idempotency_key } = proposed.item;
  const byKey = idempotency_key === null ? null : stored.byKey(idempotency_key);
  const known = replayOf(proposed, { byId: stored.byId(schedule_id), byKey }, occasion);
  return known ? { kind: 'same', item: known } : { kind: 'insert', proposed, item: proposed.item };
}

function changed(
  item: StoredItem,
  command: Exclude<ScheduleCommand, { readonly verb: 'create' }>,
  occasion: ScheduleOccasion,
): StoredItem {
  switch (command.verb) {
    case 'update':
      return updated(item, command.request, occasion);
    case 'acknowledge':
      return acknowledged(item, command.request, occasion);
    case 'retire':
      return retired(item, command.request, occasion);
  }
}
