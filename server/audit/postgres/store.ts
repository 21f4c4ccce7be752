import type { Pool } from 'pg';
import { listedEntry, type ListedRow } from '../records/entry.ts';
import type { AuditStore, SignedPoint, StoreOptions } from '../records/store.ts';
import { answersAtOn } from './answers.ts';
import { archive } from './archive.ts';
import { opened, openPool, openSumsPool, messageOnly, transaction, type Connection } from './connection.ts';
import { ensureSchema } from './schema.ts';
import { daysOn, cancellable, sumsOn } from './sums.ts';
import { appendEntries } from './writer.ts';

/**
 * The audit in a PostgreSQL database that instances share, one writer each. A row gets its `seq` when it is inserted,
 * and becomes visible when it is committed. So rows of several instances may become visible out of order, and a page
 * may lack a row that it has when it is read later. The rows of one writer are always in order.
 *
 * @param url postgres://user:password@host:port/database, with `sslmode` and other parameters of libpq
 * @throws argument_invalid, output_failed; no message contains the password
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
  const inOrder = createSerializer();
  const sumsPool = openSumsPool(url);
  const pools = { pool: sumsPool, others: pool };
  return {
    append: (entries) =>
      inOrder(() => withMessageOnly(transaction(pool, (connection) => appendEntries(connection, options, entries)))),
    checkpoint: (point) => withMessageOnly(keepCheckpoint(pool, point)),
    isClosed: (token) => withMessageOnly(isClosed(pool, token)),
    list: (agentId, limit, before) => withMessageOnly(list(pool, [agentId, before, limit])),
    days: (query, signal) => withMessageOnly(cancellable(pools, signal, (on) => daysOn(on, query))),
    sums: (query, signal) => withMessageOnly(cancellable(pools, signal, (on) => sumsOn(on, query))),
    answersAt: (places) => withMessageOnly(answersAtOn(pool, places)),
    archive: (release) => withMessageOnly(transaction(pool, (connection) => archive(connection, release))),
    end: async () => {
      await inOrder(() => Promise.all([pool.end(), sumsPool.end()]));
    },
  };
}

/** Serialises the transactions of the writer, so that they do not occupy connections while they wait. */
function createSerializer(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

async function withMessageOnly<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw messageOnly(error);
  }
}

/** Stores a checkpoint, once; the database refuses a checkpoint without its entry. */
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
