import type { Client } from 'pg';
import { nameOf, refTo } from '../records/names.ts';
import type { SignedPoint } from '../records/store.ts';
import { partitionOf } from './months.ts';

/** Maximum time that dropping a month may wait for its readers; writers wait as long, and their rows are spooled. */
const LOCK_MS = 1000;

/**
 * Retires chains up to these points, in one transaction: months of which nothing remains are dropped as a whole, at a
 * cost that does not grow with their rows, and the other retired rows are deleted. The database refuses to delete a row
 * without a retirement, and a retirement without a checkpoint.
 *
 * @returns the number of dropped entries
 */
export async function retireRows(client: Client, points: readonly SignedPoint[]): Promise<number> {
  if (points.length === 0) return 0;
  await client.query('BEGIN');
  try {
    const dropped = await retireWithin(client, points);
    await client.query('COMMIT');
    return dropped;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function retireWithin(client: Client, points: readonly SignedPoint[]): Promise<number> {
  const count = async (sql: string, given: unknown[]) =>
    (await client.query<{ rows: number }>(sql, given)).rows[0]?.rows ?? 0;
  await client.query(
    'INSERT INTO retired SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[])',
    [...(['writer', 'n', 'hash', 'at', 'envelope'] as const).map((key) => points.map((it) => it[key]))],
  );
  const writers = [...new Set(points.map((it) => it.writer))];
  const months = await wholeMonths(client, writers);
  const before = await count(`SELECT COUNT(*) AS rows FROM entries WHERE month = ANY ($1::integer[])`, [months]);
  await client.query(DELETE_INTENTS, [writers, months]);
  const { rowCount } = await client.query(DELETE_ENTRIES, [writers, months]);
  for (const month of months) await dropMonth(client, month);
  return before + (rowCount ?? 0);
}

/** The last retirement of each writer. */
const RETIRED = `SELECT ${refTo('writer')} AS writer, max(n) AS n FROM retired WHERE writer = ANY ($1::text[]) GROUP BY retired.writer`;

const DELETE_INTENTS = `DELETE FROM intents i USING entries e, (${RETIRED}) r WHERE e.writer = r.writer AND e.n <= r.n
  AND e.type IN ('recall', 'arrival') AND i.seq = e.seq AND i.month = e.month AND e.month <> ALL ($2::integer[])`;

const DELETE_ENTRIES = `DELETE FROM entries e USING (${RETIRED}) r WHERE e.writer = r.writer AND e.n <= r.n
  AND e.month <> ALL ($2::integer[])`;

/** The months with partitions of this role, which alone may be dropped. */
const MONTHS = `SELECT month, month < to_char(now() AT TIME ZONE 'UTC' - interval '2 days', 'YYYYMM')::integer AS past
  FROM (SELECT right(replace(c.relname, '_', ''), 6)::integer AS month FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = to_regclass('entries') AND pg_has_role(c.relowner, 'USAGE')) own ORDER BY month`;

/** Whether a month has an entry that is not retired. */
const REMAINING = `SELECT EXISTS (SELECT FROM entries e WHERE e.month = $1
  AND NOT EXISTS (SELECT FROM retired r WHERE r.writer = ${nameOf('e.writer')} AND r.n >= e.n)) AS remains`;

async function remains(client: Client, month: number): Promise<boolean> {
  const { rows } = await client.query<{ remains: boolean }>(REMAINING, [month]);
  return rows[0]?.remains ?? true;
}

/** Months of which every entry is retired: those with entries of these writers, and past ones that are empty. */
async function wholeMonths(client: Client, writers: readonly string[]): Promise<number[]> {
  const whole: number[] = [];
  for (const { month, past } of (await client.query<{ month: number; past: boolean }>(MONTHS)).rows) {
    const { rowCount } = await client.query(OWN, [month, writers]);
    if ((past || rowCount === 1) && !(await remains(client, month))) whole.push(month);
  }
  return whole;
}

const OWN = `SELECT FROM entries WHERE month = $1
  AND writer IN (SELECT id FROM names WHERE name = ANY ($2::text[])) LIMIT 1`;

/** Looks again once no row can come: one of an outage may be late. */
async function dropMonth(client: Client, month: number): Promise<void> {
  const entries = partitionOf('entries', month);
  const intents = partitionOf('intents', month);
  await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}; LOCK TABLE entries, intents IN ACCESS EXCLUSIVE MODE`);
  if (await remains(client, month)) throw new Error(`rows of ${month} came while it was dropped`);
  await client.query(`DROP TABLE ${entries}, ${intents}`);
}
