import type { Pool } from 'pg';
import {
  ARRIVALS_SUMMED,
  DAY_MS,
  NAMES_SUMMED,
  type ArrivalSums,
  type AuditDay,
  type AuditSums,
  type DaysQuery,
  type SumsQuery,
} from '../../../compiler/schema/audit/sums.ts';
import { GENERATED_HEARTBEAT, nameOf, refTo } from '../records/names.ts';
import {
  arrivalSums,
  daysOf,
  sumsOf,
  windowAround,
  type ArrivalRow,
  type DayCount,
  type SumsRow,
} from '../records/sums-rows.ts';
import type { Connection } from './connection.ts';
import { monthsOf } from './months.ts';

/** As `sumsIn` of sqlite/sums.ts. */
export async function daysOn(connection: Connection, { agent, since, until, cut }: DaysQuery): Promise<AuditDay[]> {
  const of = agent === null ? AGENTS : `= ${refTo('$6')}`;
  const read = async (type: 'recall' | 'closing', from: number, to: number, after: number) => {
    const given = [from, to, after, ...monthsOf(from, to), ...(agent === null ? [] : [agent])];
    return (await connection.query<DayCount>(DAYS(type, of), given)).rows;
  };
  const days = await read('recall', since, until, cut);
  const around = windowAround({ since, until });
  const recalls = await read('recall', around.since, around.until, around.cut);
  return daysOf(days, { recalls, closings: await read('closing', around.since, around.until, around.cut) });
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

export async function arrivalsOn(connection: Connection, query: SumsQuery): Promise<ArrivalSums[]> {
  const { entities, since, until, withText = false } = query;
  const given = [JSON.stringify(entities), since, until, ...monthsOf(since, until), withText];
  const { rows } = await connection.query<ArrivalRow & { readonly raw: Buffer | null }>(ARRIVALS, given);
  return rows.map(({ raw, ...row }) => arrivalSums({ ...row, text: raw?.toString() ?? row.text }));
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

const ARRIVALS = `
SELECT a.key AS agent_id, b.event, b.pages::text AS pages, b.names ->> 0 AS name, i.text, i.raw, MIN(e.id) AS id,
  SUM(COALESCE(b.count, 1))::bigint AS times, SUM(b.tokens)::bigint AS tokens
FROM json_each_text($1::json) a JOIN names k ON k.name = a.key
JOIN entries e ON e.type = 'arrival' AND e.agent_id = k.id AND e.created_at >= $2 AND e.created_at < $3
  AND e.month BETWEEN $4 AND $5
CROSS JOIN LATERAL json_to_record(audit_json(e.body)) AS b(event text, count bigint, tokens bigint, pages json, names json)
LEFT JOIN intents i ON $6::boolean AND i.seq = e.seq AND i.month = e.month
GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY MAX(e.created_at) DESC, MIN(e.id COLLATE "C") LIMIT ${ARRIVALS_SUMMED}`;

/** A skip scan: jumps through the indexes of the months from one agent to the next. */
const AGENTS = `IN (WITH RECURSIVE skip(agent) AS (
  SELECT MIN(agent_id) FROM entries WHERE type = 'recall' AND month BETWEEN $4 AND $5 UNION ALL
  SELECT (SELECT MIN(agent_id) FROM entries WHERE type = 'recall' AND month BETWEEN $4 AND $5 AND agent_id > skip.agent)
  FROM skip WHERE skip.agent IS NOT NULL) SELECT agent FROM skip WHERE agent IS NOT NULL)`;

const DAYS = (type: 'recall' | 'closing', agent: string) => `
SELECT ${nameOf('agent_id')} AS agent_id, created_at / ${DAY_MS} AS day, (created_at >= $3)::integer AS after_cut, COUNT(*) AS rows,
  MIN(seq) AS first, MAX(seq) AS last
FROM entries WHERE type = '${type}' AND agent_id ${agent} AND created_at >= $1 AND created_at < $2
  AND month BETWEEN $4 AND $5
GROUP BY entries.agent_id, 2, 3 ORDER BY 2 DESC, 3 DESC, 1`;

const zeros = (n: number) => ', 0'.repeat(n);

const count = (condition: string) => `COUNT(*) FILTER (WHERE ${condition})`;

const any = (condition: string) => `(bool_or(${condition}))::integer`;

/** Units that the agent of a closing `c` used and missed, each name once; that nothing fitted counts as one missed. */
const MARKED = `LEFT JOIN LATERAL (
    SELECT used, missed, cardinality(used) AS used_n, GREATEST(cardinality(missed), nothing_fits::integer) AS missed_n
    FROM json_to_record(audit_json(c.body)) AS d(used_chunks json, missed_chunks json, nothing_fits boolean),
    LATERAL (SELECT ARRAY(SELECT DISTINCT json_array_elements_text(d.used_chunks)) AS used,
      ARRAY(SELECT DISTINCT json_array_elements_text(d.missed_chunks)) AS missed) names
  ) marked ON c.seq IS NOT NULL`;

/**
 * As in sqlite/sums.ts; the JSON of each answer and each closing is parsed once. `OFFSET 0` keeps the planner from
 * reading every row of a month instead of asking the index.
 */
const SUMS = `
WITH answers AS MATERIALIZED (
  SELECT a.key AS agent_id, r.seq, r.created_at, r.audit_token AS token, COALESCE(b.kind, 'recall') AS kind,
    COALESCE(b.aborted, false) AS aborted, COALESCE(b.heartbeat_id, ${GENERATED_HEARTBEAT}) AS heartbeat,
    b.heartbeat_source IS NULL AS unnamed, b.tokens, c.seq IS NOT NULL AS closed,
    b.follows IS NOT NULL AND EXISTS (SELECT FROM entries f WHERE f.type = 'recall' AND f.audit_token = b.follows
      AND f.month BETWEEN $4 AND $5 AND audit_field(f.body, 'kind') IS NULL) AS follows,
    (c.seq IS NOT NULL OR ${nameOf('r.asked_by')} = a.value) AS own, marked.used, marked.missed,
    COALESCE(marked.used_n, 0) AS used_n, COALESCE(marked.missed_n, 0) AS missed_n, b.loaded_chunks AS loaded
  FROM json_each_text($1::json) a JOIN names k ON k.name = a.key
  JOIN entries r ON r.type = 'recall' AND r.agent_id = k.id AND r.created_at >= $2 AND r.created_at < $3
    AND r.month BETWEEN $4 AND $5
  CROSS JOIN LATERAL json_to_record(audit_json(r.body)) AS b(kind text, aborted boolean, heartbeat_id text,
    heartbeat_source text, tokens bigint, follows text, loaded_chunks json)
  LEFT JOIN entries c ON c.type = 'closing' AND c.audit_token = r.audit_token AND c.month = r.month
  ${MARKED}
), chunks AS MATERIALIZED (
  SELECT t.agent_id, t.seq, x.it ->> 0 AS name, x.it ->> 0 = ANY (t.used) AS used
  FROM answers t, json_array_elements(t.loaded) AS x(it)
  WHERE t.kind = 'recall' AND t.used_n + t.missed_n > 0
), members AS MATERIALIZED (
  SELECT agent_id, seq AS find, true AS is_first, loaded, used, missed_n, NULL::json AS hints
  FROM answers WHERE kind = 'recall' AND own AND NOT follows
  UNION ALL
  SELECT t.agent_id, t.seq, false, b.loaded_chunks, marked.used, COALESCE(marked.missed_n, 0),
    audit_json(COALESCE(${nameOf('r.request')}, b.request)) -> 'manifest_hint'
  FROM answers t
  CROSS JOIN LATERAL (SELECT e.body, e.request, e.audit_token, e.month FROM entries e WHERE e.type = 'recall'
    AND audit_field(e.body, 'follows') = t.token AND audit_field(e.body, 'follows') IS NOT NULL
    AND e.month BETWEEN $4 AND $5 OFFSET 0) r
  CROSS JOIN LATERAL json_to_record(audit_json(r.body)) AS b(loaded_chunks json, request text)
  LEFT JOIN entries c ON c.type = 'closing' AND c.audit_token = r.audit_token AND c.month = r.month
  ${MARKED}
  WHERE t.kind = 'recall' AND t.own
), needs AS MATERIALIZED (
  SELECT DISTINCT m.agent_id, m.find, name FROM members m, unnest(m.used) AS name
), loads AS MATERIALIZED (
  SELECT m.find, m.is_first, x.it ->> 0 AS name, x.rank,
    EXISTS (SELECT FROM json_array_elements_text(m.hints) AS hint WHERE hint = x.it ->> 0) AS chosen
  FROM members m, json_array_elements(m.loaded) WITH ORDINALITY AS x(it, rank) WHERE m.find IN (SELECT find FROM needs)
), found AS MATERIALIZED (
  SELECT n.agent_id, n.find, MIN(l.rank) AS rank, bool_or(l.is_first) AS is_first, bool_or(l.chosen) AS chosen
  FROM needs n LEFT JOIN loads l ON l.find = n.find AND l.name = n.name GROUP BY n.agent_id, n.find, n.name
), gains AS MATERIALIZED (
  SELECT find, COUNT(*) AS used, MIN(rank) AS rank, COALESCE(bool_or(chosen), false) AS chosen,
    COALESCE(bool_or(is_first), false) AS is_first
  FROM found GROUP BY find
)
SELECT 'h', agent_id, heartbeat, COUNT(*), ${count("kind = 'recall'")}, ${count('aborted')},
  ${count("kind = 'recall' AND NOT closed")}, ${count("kind = 'recall' AND closed AND used_n + missed_n = 0")},
  ${count("kind = 'recall' AND used_n = 0 AND missed_n > 0")}, ${count('used_n + missed_n > 0')},
  SUM(used_n)::bigint, SUM(missed_n)::bigint, ${count('unnamed')},
  SUM(CASE WHEN unnamed OR aborted THEN 0 ELSE tokens END)::bigint,
  ${any('gains.find IS NOT NULL')}, ${any('NOT unnamed AND NOT aborted')},
  ${any("kind = 'heartbeat' AND NOT unnamed AND NOT aborted")}, COALESCE(MIN(gains.rank), 0)
FROM answers LEFT JOIN gains ON gains.find = answers.seq WHERE own GROUP BY agent_id, heartbeat
UNION ALL
SELECT 'f', m.agent_id, NULL, COALESCE(SUM(gains.used), 0)::bigint, ${count('is_first AND NOT chosen')},
  ${count('chosen')}, ${count('gains.find IS NULL AND missed')}${zeros(11)}
FROM (SELECT agent_id, find, bool_or(missed_n > 0) AS missed FROM members GROUP BY agent_id, find) m
LEFT JOIN gains USING (find) GROUP BY m.agent_id
UNION ALL
SELECT 'o', agent_id, NULL, COUNT(*)${zeros(14)} FROM answers WHERE NOT own GROUP BY agent_id
UNION ALL
SELECT 'r', agent_id, rank::text, COUNT(*)${zeros(14)} FROM found WHERE rank IS NOT NULL GROUP BY agent_id, rank
UNION ALL
SELECT 'm', agent_id, name, times, GREATEST(0, names - ${NAMES_SUMMED})${zeros(13)} FROM (
  SELECT agent_id, name, COUNT(*) AS times, COUNT(*) OVER (PARTITION BY agent_id) AS names,
    ROW_NUMBER() OVER (PARTITION BY agent_id ORDER BY COUNT(*) DESC, name COLLATE "C") AS place
  FROM answers, unnest(missed) AS name WHERE missed_n > 0 GROUP BY agent_id, name
) m WHERE place <= ${NAMES_SUMMED}
UNION ALL
SELECT 'u', agent_id, name, COUNT(*), ${count('used')}${zeros(13)}
FROM (SELECT DISTINCT agent_id, seq, name, used FROM chunks) u GROUP BY agent_id, name
`;
