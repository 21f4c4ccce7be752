import type { Pool } from 'pg';
import { listedEntry, type ListedRow } from '../records/entry.ts';
import type { AuditStore, SignedPoint, StoreOptions } from '../records/store.ts';
import { answersAtOn } from './answers.ts';
import { archive } from './archive.ts';
import { opened, openPool, openSummingPool, inWordsAlone, transaction, type Connection } from './connection.ts';
import { ensureSchema } from './schema.ts';
import { daysOn, stoppable, sumsOn } from './sums.ts';
import { appendEntries } from './writer.ts';

/**
 * The audit in a PostgreSQL database that instances share, one writer each. A `seq` is given when a row is written,
 * and seen when it is committed: rows of several instances may become visible out of its order, so that a page may
 * lack, and a later look at it have, a row that was being written meanwhile. One writer's rows are never out of order.
 *
 * @param url postgres://user:password@host:port/database, with `sslmode` and what else libpq knows
 * @throws argument_invalid, output_failed; the password is in no message
 */
export async function openPostgresStore(url: string, options: StoreOptions): Promise<AuditStore> {
  return opened(url, async () => {
    const pool = openPool(url);
    try {
      await transaction(pool, (connection) => ensureSchema(connection, true));
    } catch (error) {
      await pool.end();
      throw error;
    }
    return storeOn(url, pool, options);
  });
}

function storeOn(url: string, pool: Pool, options: StoreOptions): AuditStore {
  const inTurn = oneByOne();
  const summing = openSummingPool(url);
  const pools = { pool: summing, others: pool };
  return {
    append: (entries) =>
      inTurn(() => plainly(transaction(pool, (connection) => appendEntries(connection, options, entries)))),
    checkpoint: (point) => plainly(keepCheckpoint(pool, point)),
    isClosed: (token) => plainly(isClosed(pool, token)),
    list: (agentId, limit, before) => plainly(list(pool, [agentId, before, limit])),
    days: (query, signal) => plainly(stoppable(pools, signal, (on) => daysOn(on, query))),
    sums: (query, signal) => plainly(stoppable(pools, signal, (on) => sumsOn(on, query))),
    answersAt: (places) => plainly(answersAtOn(pool, places)),
    archive: (release) => plainly(transaction(pool, (connection) => archive(connection, release))),
    end: async () => {
      await inTurn(() => Promise.all([pool.end(), summing.end()]));
    },
  };
}

/** The writer's own transactions wait for each other here, and not on connections. */
function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

async function plainly<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw inWordsAlone(error);
  }
}

/** Keeps a checkpoint, once; the database refuses one whose entry it does not have. */
export async function keepCheckpoint(
  connection: Connection,
  { writer, n, hash, at, envelope }: SignedPoint,
): Promise<void> {
  await connection.query(
    `INSERT INTO checkpoints SELECT $1, $2::bigint, $3, $4::bigint, $5
     WHERE NOT EXISTS (SELECT FROM checkpoints WHERE writer = $1 AND n = $2::bigint) ON CONFLICT DO NOTHING`,
    [writer, n, hash, at, envelope],
  );
}

async function isClosed(connection: Connection, token: string): Promise<boolean> {
  const { rowCount } = await connection.query("SELECT FROM entries WHERE type = 'closing' AND id = $1", [token]);
  return rowCount === 1;
}

async function list(connection: Connection, page: readonly [agentId: string, before: number, limit: number]) {
  const { rows } = await connection.query<ListedRow & { readonly raw: Buffer | null }>(
    `SELECT r.seq, r.body, i.text AS intent, i.raw, c.body AS closing FROM entries r
     LEFT JOIN entries c ON c.type = 'closing' AND c.id = r.audit_token LEFT JOIN intents i ON i.id = r.id
     WHERE r.type = 'recall' AND r.agent_id = $1 AND r.seq < $2 ORDER BY r.seq DESC LIMIT $3`,
    [...page],
  );
  return rows.map(({ raw, ...row }) => listedEntry({ ...row, intent: raw === null ? row.intent : raw.toString() }));
}
