import type { Pool } from 'pg';
import { listedEntry, type RecallRow } from '../records/entry.ts';
import { RECALL_ROW, refTo } from '../records/names.ts';
import type { AuditStore } from '../records/store.ts';
import { openPool, SUMS, type Connection } from './connection.ts';
import { arrivalsOn, cancellable, daysOn, sumsOn } from './sums.ts';

/** The methods that lists and reports read by. */
type AuditQueries = Pick<AuditStore, 'list' | 'days' | 'sums' | 'arrivals'>;

/** Reads one server of a database, or its replica. */
interface Reader extends AuditQueries {
  readonly end: () => Promise<unknown>;
}

/** @param pool of the same server */
export function readerOn(url: string, pool: Pool): Reader {
  const sumsPool = openPool(url, SUMS);
  const pools = { pool: sumsPool, others: pool };
  return {
    list: (agentId, limit, before) => list(pool, [agentId, before, limit]),
    days: (query, signal) => cancellable(pools, signal, (on) => daysOn(on, query)),
    sums: (query, signal) => cancellable(pools, signal, (on) => sumsOn(on, query)),
    arrivals: (query, signal) => cancellable(pools, signal, (on) => arrivalsOn(on, query)),
    end: () => sumsPool.end(),
  };
}

/**
 * Reads a replica, and asks the server itself where the replica fails: reports still work if it is away, or ends a
 * query because it has to apply a row.
 */
export function readerOnReplica(url: string, own: Reader): Reader {
  const pool = openPool(url);
  const replica = readerOn(url, pool);
  return {
    list: (...args) => replica.list(...args).catch(() => own.list(...args)),
    days: (query, signal) => replica.days(query, signal).catch(again(signal, () => own.days(query, signal))),
    sums: (query, signal) => replica.sums(query, signal).catch(again(signal, () => own.sums(query, signal))),
    arrivals: (query, signal) =>
      replica.arrivals(query, signal).catch(again(signal, () => own.arrivals(query, signal))),
    end: () => Promise.all([replica.end(), pool.end(), own.end()]),
  };
}

/** Nobody waits for the answer of a query that was cancelled. */
function again<T>(signal: AbortSignal | undefined, read: () => Promise<T>): () => Promise<T> {
  return () => {
    signal?.throwIfAborted();
    return read();
  };
}

async function list(connection: Connection, page: readonly [agentId: string, before: number, limit: number]) {
  const { rows } = await connection.query<RecallRow & { readonly raw: Buffer | null }>(
    `SELECT ${RECALL_ROW}, i.raw FROM entries r
     LEFT JOIN entries c ON c.type = 'closing' AND c.audit_token = r.audit_token AND c.month = r.month
     LEFT JOIN intents i ON i.seq = r.seq AND i.month = r.month WHERE r.type = 'recall' AND r.agent_id = ${refTo('$1')}
     AND r.seq < $2 ORDER BY r.seq DESC LIMIT $3`,
    [...page],
  );
  return rows.map(({ raw, ...row }) => listedEntry({ ...row, intent: raw === null ? row.intent : raw.toString() }));
}
