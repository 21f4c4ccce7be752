import type { Database as Connection } from 'better-sqlite3';
import type { DueQuery, FoundItems } from '../../../compiler/continuity/schedule/context.ts';
import { secondsOf } from '../../../compiler/continuity/schedule/item.ts';
import { StoredItem } from '../../../compiler/continuity/schema/schedule/item.ts';
import type { ListScheduleQuery } from '../../../compiler/continuity/schema/schedule/requests.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { orNull } from '../../../compiler/schema/or-null.ts';
import { byText } from '../../../compiler/trust/canonical.ts';

/** A page of items. */
export interface ListedItems {
  readonly items: readonly StoredItem[];
  /** Of all pages. */
  readonly total: number;
  /** Whether a row could not be read. */
  readonly skipped: boolean;
}

/** The queries of a schedule; times in seconds since 1970. */
export interface ScheduleReading {
  readonly get: (schedule_id: string) => StoredItem | null;
  readonly list: (query: ListScheduleQuery, now: number) => ListedItems;
  readonly due: (query: DueQuery) => FoundItems;
}

/** A row of the table; JSON is text. */
export type ItemRow = Readonly<Record<string, unknown>>;

const ORDER = 'ORDER BY due_at_ts, schedule_id';

/** @param db open for reading or writing */
export function readSchedule(db: Connection): ScheduleReading {
  const one = db.prepare('SELECT * FROM items WHERE schedule_id = ?');
  const of = {
    subject: db.prepare(`SELECT * FROM items WHERE ${pendingBy('subject_kind = ? AND subject_id = ?')}`),
    thread: db.prepare(`SELECT * FROM items WHERE ${pendingBy('thread_id = ?')}`),
    task: db.prepare(`SELECT * FROM items WHERE ${pendingBy('task_id = ?')}`),
  };
  /** The first items of some subjects that are due in a time, and one more than asked for. */
  const between = ({ subjects }: DueQuery, after: number, until: number, most: number): ItemRow[] => {
    const found = subjects.flatMap(({ subject_kind: kind, subject_id: id }) => {
      const rows = of.subject.all(kind, id, after, until, most + 1);
      const alias = kind === 'thread' || kind === 'task' ? of[kind].all(id, after, until, most + 1) : [];
      return [...rows, ...alias] as ItemRow[];
    });
    return [...new Map(found.map((it) => [it['schedule_id'], it])).values()].sort(byDue).slice(0, most + 1);
  };
  return {
    get: (schedule_id) => {
      const row = one.get(schedule_id) as ItemRow | undefined;
      if (row === undefined) return null;
      const item = itemOf(row);
      if (item === null) throw new VadeError('continuity_unusable', `${schedule_id} cannot be read`);
      return item;
    },
    list: (query, now) => listed(db, query, now),
    due: (query) => {
      const due = readable(between(query, Number.MIN_SAFE_INTEGER, query.now, query.due));
      const upcoming = readable(between(query, query.now, query.until, query.upcoming));
      const isPart = due.skipped || upcoming.skipped;
      return { due: due.items, upcoming: upcoming.items, warnings: isPart ? ['schedule_rows_skipped'] : [] };
    },
  };
}

/** Bound by an index, so that due items are found without reading the rest. */
function pendingBy(condition: string): string {
  return `status = 'pending' AND ${condition} AND due_at_ts > ? AND due_at_ts <= ? ${ORDER} LIMIT ?`;
}

function byDue(a: ItemRow, b: ItemRow): number {
  return Number(a['due_at_ts']) - Number(b['due_at_ts']) || byText(String(a['schedule_id']), String(b['schedule_id']));
}

/** The columns that a list can be filtered by. */
const FILTERS = ['status', 'task_id', 'thread_id', 'subject_kind', 'subject_id'] as const;

function listed(db: Connection, query: ListScheduleQuery, now: number): ListedItems {
  const given = FILTERS.filter((name) => query[name] !== undefined);
  const where = given.map((name) => `${name} = ?`);
  const values: unknown[] = given.map((name) => query[name]);
  if (query.status === undefined && query.include_retired !== 'true') where.push("status <> 'retired'");
  if (query.due !== undefined) {
    where.push(`status = 'pending' AND due_at_ts ${query.due === 'true' ? '<=' : '>'} ?`);
    values.push(now);
  }
  const condition = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
  const total = db.prepare(`SELECT count(*) FROM items ${condition}`).pluck().get(values) as number;
  const page = db.prepare(`SELECT * FROM items ${condition} ${ORDER} LIMIT ? OFFSET ?`);
  return { ...readable(page.all(values, query.limit, query.offset) as ItemRow[]), total };
}

function readable(rows: readonly ItemRow[]): { items: StoredItem[]; skipped: boolean } {
  const items = rows.map(itemOf).filter((it) => it !== null);
  return { items, skipped: items.length < rows.length };
}

/** The item of a row; null for one that does not keep to the schema. */
export function itemOf(row: ItemRow): StoredItem | null {
  const fields = Object.keys(StoredItem.shape).map((name) => [name, row[name]]);
  const metadata = orNull(() => JSON.parse(String(row['metadata'])) as unknown);
  const parsed = StoredItem.safeParse({ ...Object.fromEntries(fields), metadata });
  return parsed.success && secondsOf(parsed.data.due_at) === row['due_at_ts'] ? parsed.data : null;
}
