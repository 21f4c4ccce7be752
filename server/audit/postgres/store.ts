import type { Pool } from 'pg';
import { inTurn } from '../../../compiler/schema/in-turn.ts';
import type { AuditStore, SignedPoint, StoreOptions } from '../records/store.ts';
import { archive } from './archive.ts';
import { opened, openPool, messageOnly, transaction, type Connection } from './connection.ts';
import { knownMonths, monthOfToken } from './months.ts';
import { readerOn, readerOnReplica } from './reading.ts';
import { ensureSchema } from './schema.ts';
import { connectionUrl } from './url.ts';
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
  if (options.replica !== undefined) connectionUrl(options.replica);
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
  // the transactions of the writer do not occupy connections while they wait
  const inOrder = inTurn();
  const own = readerOn(url, pool);
  const reader = options.replica === undefined ? own : readerOnReplica(options.replica, own);
  const append = appender(pool, options);
  return {
    append: (entries) => inOrder(() => withMessageOnly(append(entries))),
    checkpoint: (point) => withMessageOnly(keepCheckpoint(pool, point)),
    isClosed: (token) => withMessageOnly(isClosed(pool, token)),
    list: (...page) => withMessageOnly(reader.list(...page)),
    days: (...query) => withMessageOnly(reader.days(...query)),
    sums: (...query) => withMessageOnly(reader.sums(...query)),
    answersAt: (places) => withMessageOnly(reader.answersAt(places)),
    archive: (release) => withMessageOnly(transaction(pool, (connection) => archive(connection, release))),
    end: async () => {
      await inOrder(() => Promise.all([pool.end(), reader.end()]));
    },
  };
}

/** Appends entries to partitions that it adds where they are missing. */
function appender(pool: Pool, options: StoreOptions): AuditStore['append'] {
  const months = knownMonths(pool);
  const opening = { audit_token: '', created_at: options.openedAt };
  return async (entries) => {
    try {
      await months.ensure([opening, ...entries]);
      return await transaction(pool, (connection) => appendEntries(connection, options, entries));
    } catch (error) {
      months.forget();
      throw error;
    }
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

/** Reads the month that the token carries; all of them for one that carries none. */
async function isClosed(connection: Connection, token: string): Promise<boolean> {
  const { rowCount } = await connection.query(
    "SELECT FROM entries WHERE type = 'closing' AND id = $1 AND ($2::integer IS NULL OR month = $2)",
    [token, monthOfToken(token)],
  );
  return rowCount === 1;
}
