import type { Pool } from 'pg';
import {
  DAY_MS,
  MISSES_SUMMED,
  NAMES_SUMMED,
  type AuditDay,
  type AuditSums,
  type DaysQuery,
  type SumsQuery,
} from '../../../compiler/schema/audit/sums.ts';
import { daysOf, sumsOf, type DayCount, type SumsRow } from '../records/sums-rows.ts';
import type { Connection } from './connection.ts';
import { monthsOf } from './months.ts';

/** As `sumsIn` of sqlite/sums.ts. */
export async function daysOn(connection: Connection, { agent, since, until, cut }: DaysQuery): Promise<AuditDay[]> {
  const of = agent === null ? AGENTS : '= $6';
  const read = async (type: 'recall' | 'closing', from: number, to: number, after: number) => {
    const given = [from, to, after, ...monthsOf(from, to), ...(agent === null ? [] : [agent])];
    return (await connection.query<DayCount>(DAYS(type, of), given)).rows;
  };
  const recalls = await read('recall', since, until, cut);
  return daysOf(recalls, await read('closing', since - 2 * DAY_MS, until + 3 * DAY_MS, 0));
}

export async function sumsOn(connection: Connection, { entities, since, until }: SumsQuery): Promise<AuditSums[]> {
  const text = {
    text: SUMS,
    values: [JSON.stringify(entities), since, until, ...monthsOf(since, until)],
    rowMode: 'array' as const,
  };
  const { rows } = await connection.query<SumsRow & unknown[]>(text);
  return sumsOf(rows);
}

/**
 * Runs a query on a connection of its own. If `signal` is aborted, it cancels the query in the database and waits until
 * it has stopped.
 *
 * @param pools `pool` for such queries only, so that they do not delay writes; `others` to cancel them
 */
export async function cancellable<T>(
  { pool, others }: { readonly pool: Pool; readonly others: Pool },
  signal: AbortSignal | undefined,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const client = await pool.connect();
  const stopping: Promise<unknown>[] = [];
  const { processID } = client as unknown as { readonly processID: number };
  const stop = () => {
    stopping.push(others.query('SELECT pg_cancel_backend($1)', [processID]).catch(() => undefined));
  };
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    return await work(client);
  } finally {
    signal?.removeEventListener('abort', stop);
    // the cancellation must not hit the next query of this connection
    await Promise.all(stopping);
    client.release(stopping.length > 0);
  }
}

/** A skip scan: jumps through the indexes of the months from one agent to the next. */
const AGENTS = `IN (WITH RECURSIVE skip(agent) AS (
  SELECT MIN(agent_id) FROM entries WHERE type = 'recall' AND month BETWEEN $4 AND $5 UNION ALL
  SELECT (SELECT MIN(agent_id) FROM entries WHERE type = 'recall' AND month BETWEEN $4 AND $5 AND agent_id > skip.agent)
  FROM skip WHERE skip.agent IS NOT NULL) SELECT agent FROM skip WHERE agent IS NOT NULL)`;

const DAYS = (type: 'recall' | 'closing', agent: string) => `
SELECT agent_id, created_at / ${DAY_MS} AS day, (created_at >= $3)::integer AS after_cut, COUNT(*) AS rows,
  MIN(seq) AS first, MAX(seq) AS last
FROM entries WHERE type = '${type}' AND agent_id ${agent} AND created_at >= $1 AND created_at < $2
  AND month BETWEEN $4 AND $5
GROUP BY 1, 2, 3 ORDER BY 2 DESC, 3 DESC, 1`;

const zeros = (n: number) => ', 0'.repeat(n);

const count = (condition: string) => `COUNT(*) FILTER (WHERE ${condition})`;

const any = (condition: string) => `(bool_or(${condition}))::integer`;

/** As in sqlite/sums.ts; the JSON of each answer and each closing is parsed once. */
const SUMS = `
WITH answers AS MATERIALIZED (
  SELECT r.agent_id, r.seq, r.created_at, b.kind, b.aborted, b.heartbeat_id AS heartbeat,
    b.heartbeat_source = 'generated' AS unnamed, b.tokens, c.id IS NOT NULL AS closed,
    (c.id IS NOT NULL OR b.asked_by = a.value) AS own, marked.used, marked.missed,
    COALESCE(cardinality(marked.used), 0) AS used_n, COALESCE(cardinality(marked.missed), 0) AS missed_n,
    CASE WHEN c.id IS NOT NULL THEN b.loaded_chunks END AS loaded
  FROM json_each_text($1::json) a
  JOIN entries r ON r.type = 'recall' AND r.agent_id = a.key AND r.created_at >= $2 AND r.created_at < $3
    AND r.month BETWEEN $4 AND $5
  CROSS JOIN LATERAL json_to_record(audit_json(r.body)) AS b(kind text, aborted boolean, heartbeat_id text,
    heartbeat_source text, tokens bigint, asked_by text, loaded_chunks json)
  LEFT JOIN entries c ON c.type = 'closing' AND c.id = r.audit_token AND c.month = r.month
  LEFT JOIN LATERAL (
    SELECT ARRAY(SELECT DISTINCT json_array_elements_text(d.used_chunks)) AS used,
      ARRAY(SELECT DISTINCT json_array_elements_text(d.missed_chunks)) AS missed
    FROM json_to_record(audit_json(c.body)) AS d(used_chunks json, missed_chunks json)
  ) marked ON c.id IS NOT NULL
), chunks AS MATERIALIZED (
  SELECT t.agent_id, t.seq, x.name, x.rank, x.name = ANY (t.used) AS used
  FROM answers t, json_to_recordset(t.loaded) AS x(name text, rank integer)
  WHERE t.kind = 'recall' AND t.used_n + t.missed_n > 0
), best_ranks AS MATERIALIZED (SELECT seq, MIN(rank) AS rank FROM chunks WHERE used GROUP BY seq)
SELECT 'h', agent_id, heartbeat, COUNT(*), ${count("kind = 'recall'")}, ${count('aborted')},
  ${count("kind = 'recall' AND NOT closed")}, ${count("kind = 'recall' AND closed AND used_n + missed_n = 0")},
  ${count("kind = 'recall' AND used_n = 0 AND missed_n > 0")}, ${count('used_n + missed_n > 0')},
  SUM(used_n)::bigint, SUM(missed_n)::bigint, SUM(CASE WHEN kind = 'recall' THEN used_n ELSE 0 END)::bigint,
  ${count('unnamed')}, SUM(CASE WHEN unnamed OR aborted THEN 0 ELSE tokens END)::bigint, ${count('missed_n > 0')},
  ${any("kind = 'recall' AND used_n > 0")}, ${any('NOT unnamed AND NOT aborted')},
  ${any("kind = 'heartbeat' AND NOT unnamed AND NOT aborted")}, COALESCE(MIN(best_ranks.rank), 0)
FROM answers LEFT JOIN best_ranks USING (seq) WHERE own GROUP BY agent_id, heartbeat
UNION ALL
SELECT 'o', agent_id, NULL, COUNT(*)${zeros(16)} FROM answers WHERE NOT own GROUP BY agent_id
UNION ALL
SELECT 'r', agent_id, rank::text, COUNT(*)${zeros(16)} FROM chunks WHERE used GROUP BY agent_id, rank
UNION ALL
SELECT 'm', agent_id, name, times, GREATEST(0, names - ${NAMES_SUMMED})${zeros(15)} FROM (
  SELECT agent_id, name, COUNT(*) AS times, COUNT(*) OVER (PARTITION BY agent_id) AS names,
    ROW_NUMBER() OVER (PARTITION BY agent_id ORDER BY COUNT(*) DESC, name COLLATE "C") AS place
  FROM answers, unnest(missed) AS name WHERE missed_n > 0 GROUP BY agent_id, name
) m WHERE place <= ${NAMES_SUMMED}
UNION ALL
SELECT 'u', agent_id, name, COUNT(*), ${count('used')}${zeros(15)}
FROM (SELECT DISTINCT agent_id, seq, name, used FROM chunks) u GROUP BY agent_id, name
UNION ALL
SELECT 'n', agent_id, seq::text, created_at${zeros(16)} FROM (
  SELECT agent_id, seq, created_at, ROW_NUMBER() OVER (PARTITION BY agent_id ORDER BY created_at DESC, seq DESC) AS place
  FROM answers WHERE missed_n > 0
) n WHERE place <= ${MISSES_SUMMED}
`;
