import { VadeError } from '../../schema/errors.ts';
import { sha256 } from '../../trust/canonical.ts';
import { timeOf } from '../capsule/clock.ts';
import type { StoredItem } from '../schema/schedule/item.ts';
import type { CreateScheduleRequest } from '../schema/schedule/requests.ts';
import { bounded, checkAhead, checkLinks, checkMetadata, type ScheduleOccasion } from './item.ts';
import { conflict } from './refusals.ts';

/** The identity of a creation, for all time: by it the same creation is recognised, whatever became of the item. */
export interface CreateIdentity {
  readonly create_identity_json: string;
  readonly create_identity_hash: string;
}

/** An item with how it was created: a new one, before it is known what is stored, or a stored one. */
export interface CreatedItem {
  readonly item: StoredItem;
  readonly identity: CreateIdentity;
}

/**
 * The item that a creation asks for. Without a `schedule_id` its id follows from what it says, so that the same
 * creation is the same item.
 *
 * @throws schedule_invalid
 */
export function propose(request: CreateScheduleRequest, { now, actor }: ScheduleOccasion): CreatedItem {
  const said = {
    kind: request.kind,
    title: request.title,
    note: request.note ?? null,
    due_at: request.due_at,
    task_id: request.task_id ?? null,
    thread_id: request.thread_id ?? null,
    subject_kind: request.subject_kind ?? null,
    subject_id: request.subject_id ?? null,
    idempotency_key: request.idempotency_key ?? null,
    metadata: request.metadata ?? {},
  };
  checkMetadata(said.metadata);
  const create_identity_json = bounded(
    largestOf(said),
    { ...said, created_by: actor },
    'title, note, links and metadata together have',
  );
  const create_identity_hash = sha256(create_identity_json);
  const at = timeOf(now);
  const item: StoredItem = {
    schedule_id: request.schedule_id ?? `sched_${create_identity_hash.slice(0, 32)}`,
    status: 'pending',
    ...said,
    created_at: at,
    updated_at: at,
    created_by: actor,
    updated_by: actor,
    terminal_at: null,
    terminal_by: null,
    terminal_reason: null,
    version: 1,
  };
  checkLinks(item);
  return { item, identity: { create_identity_json, create_identity_hash } };
}

/** The member that has to be shortened where all together are too large. */
function largestOf({ title, note, metadata }: Pick<StoredItem, 'title' | 'note' | 'metadata'>): string {
  const sizes = Object.entries({ title, note, metadata }).map(
    ([name, value]) => [name, Buffer.byteLength(JSON.stringify(value))] as const,
  );
  return sizes.reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}

/**
 * The item that a creation was already answered with, as it is now; null if the creation is new, and may be stored.
 *
 * @param byId,byKey what is stored under its id, and under its idempotency key
 * @throws schedule_conflict, idempotency_conflict if these belong to another creation; schedule_invalid for the past
 */
export function replayOf(
  proposed: CreatedItem,
  { byId, byKey }: { readonly byId: CreatedItem | null; readonly byKey: CreatedItem | null },
  { now }: ScheduleOccasion,
): StoredItem | null {
  const known = byId ?? byKey;
  const isOne = byId === null || byKey === null || byId.item.schedule_id === byKey.item.schedule_id;
  if (known && isOne && known.identity.create_identity_json === proposed.identity.create_identity_json)
    return known.item;
  checkAhead(proposed.item.due_at, now);
  if (byKey)
    throw new VadeError('idempotency_conflict', 'this idempotency_key belongs to another item: use a new one', {
      schedule_id: byKey.item.schedule_id,
    });
  if (byId) {
    const { schedule_id } = byId.item;
    throw conflict(`${schedule_id} is the id of another item: use a new one`, { field: 'schedule_id', schedule_id });
  }
  return null;
}
