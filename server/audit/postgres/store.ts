import type { Pool } from 'pg';
import { inTurn } from '../../../compiler/schema/in-turn.ts';
import type { ArchivedDocument, Release } from '../records/log.ts';
import type { AuditStore, SignedPoint, StoreOptions } from '../records/store.ts';
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
    arrivals: (...query) => withMessageOnly(reader.arrivals(...query)),
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
    "SELECT FROM entries WHERE type = 'closing' AND audit_token = $1 AND ($2::integer IS NULL OR month = $2)",
    [token, monthOfToken(token)],
  );
  return rowCount === 1;
}

/** As in sqlite/writer.ts, within a transaction; instances that activate at the same time wait for each other. */
async function archive(connection: Connection, release: Release): Promise<void> {
  const { documents, inForce, agents, at } = release;
  await connection.query("SELECT pg_advisory_xact_lock(hashtextextended('vade-audit activations', 0))");
  await keepDocuments(connection, documents);
  await connection.query(ACTIVATE, [inForce.map((it) => it.agent_id), inForce.map((it) => it.version), at]);
  if (agents !== null) await connection.query(DEACTIVATE_OTHERS, [agents, at]);
}

const ACTIVATE = `INSERT INTO activations (agent_id, version, at)
  SELECT g.agent_id, g.version, $3::bigint FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS g(agent_id, version, place)
  WHERE g.version IS DISTINCT FROM
    (SELECT a.version FROM activations a WHERE a.agent_id = g.agent_id ORDER BY seq DESC LIMIT 1) ORDER BY g.place`;

const DEACTIVATE_OTHERS = `INSERT INTO activations (agent_id, version, at) SELECT agent_id, NULL, $2::bigint FROM activations a
  WHERE seq = (SELECT MAX(seq) FROM activations WHERE agent_id = a.agent_id) AND version IS NOT NULL
  AND agent_id <> ALL ($1::text[]) ORDER BY agent_id`;

async function keepDocuments(connection: Connection, documents: readonly ArchivedDocument[]): Promise<void> {
  const column = <K extends keyof ArchivedDocument>(key: K) => documents.map((it) => it[key]);
  await connection.query(
    `INSERT INTO documents (kind, agent_id, version, name, token_count, body, created_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[])
     ON CONFLICT DO NOTHING`,
    [
      column('kind'),
      column('agent_id'),
      column('version'),
      column('name'),
      column('token_count'),
      column('body'),
      column('created_at'),
    ],
  );
}
