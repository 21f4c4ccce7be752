import type { Client } from 'pg';
import { idOf } from '../records/hash-chain.ts';
import { ENTRY, refTo } from '../records/names.ts';
import type { AuditLedger, ErasureFilter, SignedPoint, StoredEntry } from '../records/store.ts';
import { answersOn } from './answers.ts';
import { inTransaction, connect, opened } from './connection.ts';
import { monthOf } from './months.ts';
import { retireRows } from './retire.ts';
import { ensureSchema } from './schema.ts';
import { keepCheckpoint } from './store.ts';
import { arrivalsOn, daysOn, sumsOn } from './sums.ts';
import { WRITERS_OF_ENTRIES } from './writer.ts';

/**
 * Opens an audit on PostgreSQL for maintenance. Opened for reading, it is a consistent snapshot.
 *
 * @throws argument_invalid, credentials_refused, timed_out, audit_unavailable, output_failed; no message has the
 * password
 */
export async function openPostgresLedger(url: string, mode: 'read' | 'write'): Promise<AuditLedger> {
  return opened(url, async () => {
    const client = await connect(url);
    try {
      if (mode === 'write') await inTransaction(client, (connection) => ensureSchema(connection, true));
      else await prepareToRead(client);
    } catch (error) {
      await client.end();
      throw error;
    }
    return { ...createReader(client), ...createWriter(client) };
  });
}

/** A read replica is good enough. */
async function prepareToRead(client: Client): Promise<void> {
  await ensureSchema(client, false);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
}

type WriteMethods = 'checkpoint' | 'retire' | 'erase' | 'end';

interface EntryRow extends Omit<StoredEntry, 'intent' | 'id'> {
  readonly own: string;
  readonly month: number;
  readonly salt: string | null;
  readonly text: string | null;
  readonly raw: Buffer | null;
  readonly files: string | null;
}

function createReader(client: Client): Omit<AuditLedger, WriteMethods> {
  const rows = async <T extends object>(sql: string, given: unknown[] = []) => (await client.query<T>(sql, given)).rows;
  const column = async <T>(sql: string, given: unknown[] = []) =>
    (await rows<{ value: T }>(sql, given)).map((it) => it.value);
  const one = async <T>(sql: string, given: unknown[]) => (await column<T>(sql, given))[0] as T;
  const points = (table: string) => (writer: string) =>
    rows<SignedPoint>(`SELECT * FROM ${table} WHERE writer = $1 ORDER BY n`, [writer]);
  return {
    writers: () => column(WRITERS),
    entries: async (writer, after, limit) => (await rows<EntryRow>(ENTRIES, [writer, after, limit])).map(toStored),
    answers: answersOn(client),
    days: (query) => daysOn(client, query),
    sums: (query) => sumsOn(client, query),
    arrivals: (query) => arrivalsOn(client, query),
    count: (writer) => one(`SELECT COUNT(*) AS value FROM entries WHERE writer = ${refTo('$1')}`, [writer]),
    has: ({ writer, n, hash }) =>
      one(
        `SELECT EXISTS (SELECT FROM entries WHERE writer = ${refTo('$1')} AND n = $2 AND encode(hash, 'hex') = $3) AS value`,
        [...[writer, n, hash]],
      ),
    newest: (...span) =>
      one(`SELECT MAX(created_at) AS value FROM entries WHERE writer = ${refTo('$1')} AND n > $2 AND n <= $3`, span),
    checkpoints: points('checkpoints'),
    retirements: points('retired'),
    duplicates: () =>
      column(`SELECT type || ' ' || (id || audit_token) AS value FROM entries
        GROUP BY type, (id || audit_token) HAVING COUNT(*) > 1`),
    strayIntents: () =>
      column(`SELECT 'intent ' || seq AS value FROM intents i
        WHERE NOT EXISTS (SELECT FROM entries e WHERE e.type IN ('recall', 'arrival') AND e.seq = i.seq AND e.month = i.month)`),
    matching: (filter) => {
      const { where, given } = filtered(filter);
      return one(`SELECT COUNT(*) AS value FROM intents WHERE ${where}`, given);
    },
  };
}

/** Sorted as JavaScript sorts, independent of the collation of the database. */
const WRITERS = `SELECT writer AS value FROM (SELECT name AS writer FROM names WHERE id IN (${WRITERS_OF_ENTRIES}) UNION SELECT writer FROM checkpoints
  UNION SELECT writer FROM retired) w ORDER BY writer COLLATE "C"`;

const ENTRIES = `SELECT $1::text AS writer, e.month, ${ENTRY}, encode(e.hash, 'hex') AS hash, i.salt, i.text, i.raw, i.files
  FROM entries e LEFT JOIN intents i ON i.seq = e.seq AND i.month = e.month AND e.type IN ('recall', 'arrival')
  WHERE e.writer = ${refTo('$1')} AND e.n > $2 ORDER BY e.n, e.seq LIMIT $3`;

/** A row as it is stored. In another month's partition, a lookup would not find the entry. */
function toStored({ month, own, salt, text, raw, files, ...row }: EntryRow): StoredEntry {
  const isMisplaced = month !== monthOf(row);
  return {
    ...row,
    id: idOf(row.type, own, row.audit_token),
    isMisplaced,
    intent: salt === null || text === null ? null : { salt, text: raw?.toString() ?? text, files },
  };
}

function createWriter(client: Client): Pick<AuditLedger, WriteMethods> {
  const changed = new Set<string>();
  return {
    checkpoint: (point) => keepCheckpoint(client, point),
    retire: async (points) => {
      changed.add('entries').add('intents');
      return retireRows(client, points);
    },
    erase: async (filter) => {
      changed.add('intents');
      const { where, given } = filtered(filter);
      return (await client.query(`DELETE FROM intents WHERE ${where}`, given)).rowCount ?? 0;
    },
    end: async () => {
      // deleted rows stay in the file of the table until this VACUUM, or until autovacuum
      if (changed.size > 0) await client.query(`VACUUM ${[...changed].join(', ')}`).catch(() => undefined);
      await client.end();
    },
  };
}

function filtered({ token, agent, before }: ErasureFilter) {
  const given: unknown[] = [];
  const filters = [
    // two recalls of one find have one intent: an erasure of the first also erases those that follow it
    [(at: string) => `(audit_token = ${at} OR audit_field(body, 'follows') = ${at})`, token],
    [(at: string) => `agent_id = ${refTo(at)}`, agent],
    [(at: string) => `created_at < ${at}`, before],
  ] as const;
  const conditions = filters.flatMap(([test, value]) => (value === undefined ? [] : [test(`$${given.push(value)}`)]));
  // an arrival has no token
  const types = token === undefined ? "type IN ('recall', 'arrival')" : "type = 'recall'";
  const where = `(seq, month) IN (SELECT seq, month FROM entries WHERE ${[types, ...conditions].join(' AND ')})`;
  return { where, given };
}
