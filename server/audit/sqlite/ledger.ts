import type { Database as Connection } from 'better-sqlite3';
import { idOf } from '../records/hash-chain.ts';
import { ENTRY, refTo } from '../records/names.ts';
import type { AuditLedger, ChainHead, ErasureFilter, SignedPoint, StoredEntry } from '../records/store.ts';
import { answersIn } from './answers.ts';
import { openSqliteFile, readSqliteFile } from './file.ts';
import { sumsIn } from './sums.ts';
import { checkpointer, WRITERS_OF_ENTRIES } from './writer.ts';

/** A running server holds the write lock for milliseconds at a time. */
const BUSY_MS = 5000;

/**
 * Opens an audit file for maintenance. Opened for reading, it is a consistent snapshot.
 *
 * @throws Error if it cannot be opened, or is not an audit
 */
export function openSqliteLedger(path: string, mode: 'read' | 'write'): AuditLedger {
  const db = mode === 'read' ? readSqliteFile(path) : openSqliteFile(path);
  db.pragma(`busy_timeout = ${BUSY_MS}`);
  if (mode === 'read') db.exec('BEGIN; SELECT 1 FROM sqlite_schema');
  else db.pragma('secure_delete = ON');
  return promisifyCalls<{ [K in keyof AuditLedger]: AuditLedger[K] }>({ ...createReader(db), ...createWriter(db) });
}

type SyncLedger = SyncCalls<{ [K in keyof AuditLedger]: AuditLedger[K] }>;
type ReadMethods = Exclude<keyof SyncLedger, 'checkpoint' | 'retire' | 'erase' | 'end'>;

interface EntryRow extends Omit<StoredEntry, 'intent' | 'id'> {
  readonly own: string;
  readonly salt: string | null;
  readonly text: string | null;
  readonly files: string | null;
}

const ENTRIES = `SELECT ? AS writer, ${ENTRY}, lower(hex(e.hash)) AS hash, i.salt, i.text, i.files FROM entries e
  LEFT JOIN intents i ON i.seq = e.seq AND e.type IN ('recall', 'arrival') WHERE e.writer = ${refTo('?')} AND e.n > ? ORDER BY e.n, e.seq LIMIT ?`;

const DUPLICATES = `SELECT type || ' ' || (id || audit_token) FROM entries
  GROUP BY type, (id || audit_token) HAVING COUNT(*) > 1`;

function createReader(db: Connection): Pick<SyncLedger, ReadMethods> {
  const entries = db.prepare(ENTRIES);
  const writers = db
    .prepare(
      `SELECT name FROM names WHERE id IN (${WRITERS_OF_ENTRIES}) UNION SELECT writer FROM checkpoints UNION SELECT writer FROM retired`,
    )
    .pluck();
  const one = (sql: string) => db.prepare(sql).pluck();
  const count = one(`SELECT COUNT(*) FROM entries WHERE writer = ${refTo('?')}`);
  const has = one(`SELECT COUNT(*) FROM entries WHERE writer = ${refTo('?')} AND n = ? AND hash = unhex(?)`);
  const newest = one(`SELECT MAX(created_at) FROM entries WHERE writer = ${refTo('?')} AND n > ? AND n <= ?`);
  const points = (table: string) => db.prepare(`SELECT * FROM ${table} WHERE writer = ? ORDER BY n`);
  const checkpoints = points('checkpoints');
  const retirements = points('retired');
  const duplicates = one(DUPLICATES);
  const stray = one(
    `SELECT 'intent ' || seq FROM intents WHERE seq NOT IN (SELECT seq FROM entries WHERE ${WITH_INTENT})`,
  );
  const summing = sumsIn(db);
  return {
    writers: () => writers.all() as string[],
    entries: (writer, after, limit) => (entries.all(writer, writer, after, limit) as EntryRow[]).map(toStored),
    answers: answersIn(db),
    days: (query) => summing.days(query),
    sums: (query) => summing.sums(query),
    arrivals: (query) => summing.arrivals(query),
    count: (writer) => count.get(writer) as number,
    has: ({ writer, n, hash }: ChainHead) => has.get(writer, n, hash) !== 0,
    newest: (writer, after, n) => newest.get(writer, after, n) as number | null,
    checkpoints: (writer) => checkpoints.all(writer) as SignedPoint[],
    retirements: (writer) => retirements.all(writer) as SignedPoint[],
    duplicates: () => duplicates.all() as string[],
    strayIntents: () => stray.all() as string[],
    matching: (filter) => {
      const { where, values } = filtered(filter);
      return db.prepare(`SELECT COUNT(*) FROM intents WHERE ${where}`).pluck().get(values) as number;
    },
  };
}

/** Entries that may have an intent. */
const WITH_INTENT = "type IN ('recall', 'arrival')";

function toStored({ own, salt, text, files, ...row }: EntryRow): StoredEntry {
  const id = idOf(row.type, own, row.audit_token);
  return { ...row, id, intent: salt === null || text === null ? null : { salt, text, files } };
}

function createWriter(db: Connection): Pick<SyncLedger, 'checkpoint' | 'retire' | 'erase' | 'end'> {
  const retire = db.transaction((point: SignedPoint) => {
    db.prepare('INSERT INTO retired VALUES (@writer, @n, @hash, @at, @envelope)').run(point);
    const dropped = `SELECT seq FROM entries WHERE writer = ${refTo('@writer')} AND n <= @n AND ${WITH_INTENT}`;
    db.prepare(`DELETE FROM intents WHERE seq IN (${dropped})`).run(point);
    return db.prepare(`DELETE FROM entries WHERE writer = ${refTo('@writer')} AND n <= @n`).run(point).changes;
  });
  let changed = false;
  return {
    checkpoint: (point) => {
      checkpointer(db)(point);
    },
    retire: (points) => {
      changed = true;
      return points.reduce((dropped, point) => dropped + retire.immediate(point), 0);
    },
    erase: (filter) => {
      changed = true;
      const { where, values } = filtered(filter);
      return db.prepare(`DELETE FROM intents WHERE ${where}`).run(values).changes;
    },
    end: () => {
      // erased rows are zeroed in the file; this removes them from the write-ahead log too
      if (changed) db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
}

/**
 * The followed token. Two recalls of one find have one intent: an erasure of the first also erases those that follow
 * it.
 */
const FOLLOWS = "body ->> '$.follows'";

function filtered({ token, agent, before }: ErasureFilter) {
  const conditions = [
    ...(token === undefined ? [] : [`(audit_token = @token OR ${FOLLOWS} = @token)`]),
    ...(agent === undefined ? [] : [`agent_id = ${refTo('@agent')}`]),
    ...(before === undefined ? [] : ['created_at < @before']),
  ];
  // an arrival has no token
  const types = token === undefined ? ['recall', 'arrival'] : ['recall'];
  const rows = types.map((it) => `SELECT seq FROM entries WHERE ${[`type = '${it}'`, ...conditions].join(' AND ')}`);
  return { where: `seq IN (${rows.join(' UNION ALL ')})`, values: { token, agent, before } };
}

type Calls = Record<string, (...args: never[]) => Promise<unknown>>;

/** The same calls, synchronous. */
type SyncCalls<T extends Calls> = {
  readonly [K in keyof T]: (...args: Parameters<T[K]>) => Awaited<ReturnType<T[K]>>;
};

/** Wraps synchronous calls in promises; an exception becomes a rejection. */
export function promisifyCalls<T extends Calls>(direct: SyncCalls<T>): T {
  const calls = Object.entries<(...args: never[]) => unknown>(direct).map(([name, call]) => [
    name,
    (...args: never[]) => Promise.resolve().then(() => call(...args)),
  ]);
  return Object.fromEntries(calls) as T;
}
