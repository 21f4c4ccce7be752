import { canonicalJson } from '../../trust/canonical.ts';
import { timeOf } from '../capsule/clock.ts';
import type { StoredItem } from '../schema/schedule/item.ts';
import type {
  AcknowledgeScheduleRequest,
  RetireScheduleRequest,
  UpdateScheduleRequest,
} from '../schema/schedule/requests.ts';
import { checkAhead, checkLinks, checkMetadata, type ScheduleOccasion } from './item.ts';
import { conflict } from './refusals.ts';

/**
 * A pending item with what a request changes; the same item, if that is nothing. What it was created as stays as it is.
 *
 * @throws schedule_conflict for another version, and for an item that is closed; schedule_invalid
 */
export function updated(item: StoredItem, request: UpdateScheduleRequest, occasion: ScheduleOccasion): StoredItem {
  const { expected_version, ...said } = request;
  checkVersion(item, expected_version);
  if (item.status !== 'pending') throw closed(item);
  if (said.due_at !== undefined) checkAhead(said.due_at, occasion.now);
  const { metadata, ...texts } = said;
  const given = Object.entries(texts).filter(([, value]) => value !== undefined);
  const next: StoredItem = {
    ...item,
    ...(Object.fromEntries(given) as Partial<StoredItem>),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
  };
  checkMetadata(next.metadata);
  checkLinks(next);
  return canonicalJson(next) === canonicalJson(item) ? item : stamped(next, occasion);
}

/** An item that was seen, or done. The same again changes nothing. @throws schedule_conflict */
export function acknowledged(
  item: StoredItem,
  { status, ...closing }: AcknowledgeScheduleRequest,
  occasion: ScheduleOccasion,
): StoredItem {
  const to = status ?? 'acknowledged';
  if (isSame(item, to, closing)) return item;
  if (item.status !== 'pending') throw closed(item);
  return close(item, to, closing, occasion);
}

/** An item that is kept and no longer shown; one that was acknowledged can be retired too. @throws schedule_conflict */
export function retired(item: StoredItem, closing: RetireScheduleRequest, occasion: ScheduleOccasion): StoredItem {
  if (isSame(item, 'retired', closing)) return item;
  if (item.status === 'retired') throw closed(item);
  return close(item, 'retired', closing, occasion);
}

type Status = StoredItem['status'];

function isSame(item: StoredItem, status: Status, { expected_version, reason }: RetireScheduleRequest): boolean {
  checkVersion(item, expected_version);
  return item.status === status && item.terminal_reason === reasonOf(reason);
}

function close(
  item: StoredItem,
  status: Status,
  { reason }: RetireScheduleRequest,
  occasion: ScheduleOccasion,
): StoredItem {
  const terminal = {
    terminal_at: timeOf(occasion.now),
    terminal_by: occasion.actor,
    terminal_reason: reasonOf(reason),
  };
  return stamped({ ...item, status, ...terminal }, occasion);
}

/** An empty reason is none. */
function reasonOf(reason: string | null | undefined): string | null {
  return reason === undefined || reason === '' ? null : reason;
}

function stamped(item: StoredItem, { now, actor }: ScheduleOccasion): StoredItem {
  return { ...item, updated_at: timeOf(now), updated_by: actor, version: item.version + 1 };
}

function checkVersion({ version, schedule_id }: StoredItem, expected: number | null | undefined): void {
  if (expected === undefined || expected === null || expected === version) return;
  throw conflict(`${schedule_id} is now at version ${version}: read it again`, {
    field: 'expected_version',
    schedule_id,
    expected_version: expected,
    version,
  });
}

function closed({ status, schedule_id }: StoredItem) {
  return conflict(`${schedule_id} is ${status}, and this status is final`, { field: 'status', schedule_id, status });
}
