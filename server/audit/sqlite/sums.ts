import type { Database as Connection } from 'better-sqlite3';
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

/** Aggregates an audit file. */
export interface SqliteSums {
  readonly days: (query: DaysQuery, isStopped?: () => boolean) => AuditDay[];
  readonly sums: (query: SumsQuery, isStopped?: () => boolean) => AuditSums[];
  readonly arrivals: (query: SumsQuery, isStopped?: () => boolean) => ArrivalSums[];
}

/** Number of rows between two checks for cancellation. */
const CHECK_EVERY = 64;

export function sumsIn(db: Connection): SqliteSums {
  let isStopped = (): boolean => false;
  // SQLite returns to JavaScript only with a row; a function that throws ends the statement anywhere
  db.function('audit_continues', { deterministic: false }, () => {
    if (isStopped()) throw new Error('cancelled');
    return 1;
  });
  const sums = db.prepare(SUMS).raw();
  const arrivals = db.prepare(ARRIVALS);
  const days = { one: db.prepare(DAYS('recall', `= ${refTo('@agent')}`)), all: db.prepare(DAYS('recall', ALL)) };
  const closings = { one: db.prepare(DAYS('closing', `= ${refTo('@agent')}`)), all: db.prepare(DAYS('closing', ALL)) };
  return {
    days: (query, isCancelled = () => false) => {
      isStopped = isCancelled;
      const of = query.agent === null ? 'all' : 'one';
      const around = { ...query, ...windowAround(query) };
      const recalls = days[of].all(around) as DayCount[];
      return daysOf(days[of].all(query) as DayCount[], { recalls, closings: closings[of].all(around) as DayCount[] });
    },
    sums: ({ entities, since, until }, isCancelled = () => false) => {
      isStopped = isCancelled;
      const given = { entities: JSON.stringify(entities), since, until };
      return sumsOf(sums.iterate(given) as Iterable<SumsRow>);
    },
    arrivals: ({ entities, since, until, withText = false }, isCancelled = () => false) => {
      isStopped = isCancelled;
      const given = { entities: JSON.stringify(entities), since, until, withText: Number(withText) };
      return (arrivals.all(given) as ArrivalRow[]).map(arrivalSums);
    },
  };
}

/** A skip scan: jumps through the index from one agent to the next. */
export const AGENTS = `WITH RECURSIVE skip(agent) AS (SELECT MIN(agent_id) FROM entries INDEXED BY entries_agent
  WHERE type = 'recall' UNION ALL
  SELECT (SELECT MIN(agent_id) FROM entries INDEXED BY entries_agent WHERE type = 'recall' AND agent_id > skip.agent)
  FROM skip WHERE skip.agent IS NOT NULL) SELECT agent FROM skip WHERE agent IS NOT NULL`;

const ALL = `IN (${AGENTS})`;

/** Uses only an index, which contains the time and `seq`; no entry is read. */
const DAYS = (type: 'recall' | 'closing', agent: string) => `
SELECT ${nameOf('agent_id')} AS agent_id, CAST(created_at / ${DAY_MS} AS INTEGER) AS day, created_at >= @cut AS after_cut, COUNT(*) AS rows,
  MIN(seq) AS first, MAX(seq) AS last
FROM entries INDEXED BY ${type === 'recall' ? 'entries_time' : 'entries_closed'}
WHERE type = '${type}' AND agent_id ${agent} AND created_at >= @since AND created_at < @until
  AND (seq % ${CHECK_EVERY} <> 0 OR audit_continues())
GROUP BY entries.agent_id, 2, 3 ORDER BY 2 DESC, 3 DESC, 1`;

const ARRIVALS = `
SELECT a.key AS agent_id, e.body ->> '$.event' AS event, e.body ->> '$.pages' AS pages, e.body ->> '$.names[0]' AS name,
  i.text, MIN(e.id) AS id, SUM(COALESCE(e.body ->> '$.count', 1)) AS times, SUM(e.body ->> '$.tokens') AS tokens
FROM json_each(@entities) a CROSS JOIN names k ON k.name = a.key
CROSS JOIN entries e INDEXED BY entries_arrived
  ON e.type = 'arrival' AND e.agent_id = k.id AND e.created_at >= @since AND e.created_at < @until
LEFT JOIN intents i ON @withText AND i.seq = e.seq
WHERE e.seq % ${CHECK_EVERY} <> 0 OR audit_continues()
GROUP BY 1, 2, 3, 4, 5 ORDER BY MAX(e.created_at) DESC, 6 LIMIT ${ARRIVALS_SUMMED}`;

const zeros = (n: number) => ', 0'.repeat(n);

/** Number of units that the agent of a closing missed; that nothing fitted counts as one unit without a name. */
const MISSED = `MAX((SELECT COUNT(DISTINCT value) FROM json_each(c.body, '$.missed_chunks')),
  COALESCE(c.body ->> '$.nothing_fits', 0))`;

/**
 * Each answer is read once; all figures are computed from that. A find is a recall with those that follow it, whenever
 * they came: `needs` has what their agent used, once, and `gains` how it got it. A plus takes the affinity from a
 * token, with which the index of an expression would be scanned.
 */
const SUMS = `
WITH answers AS MATERIALIZED (
  SELECT a.key AS agent_id, r.seq, r.created_at, r.audit_token AS token, COALESCE(r.body ->> '$.kind', 'recall') AS kind,
    COALESCE(r.body ->> '$.aborted', 0) AS aborted,
    COALESCE(r.body ->> '$.heartbeat_id', ${GENERATED_HEARTBEAT}) AS heartbeat,
    r.body ->> '$.heartbeat_source' IS NULL AS unnamed,
    r.body ->> '$.tokens' AS tokens, c.seq IS NOT NULL AS closed, f.seq IS NOT NULL AS follows,
    (c.seq IS NOT NULL OR ${nameOf('r.asked_by')} = a.value) AS own,
    (SELECT COUNT(DISTINCT value) FROM json_each(c.body, '$.used_chunks')) AS used_n, ${MISSED} AS missed_n,
    r.body -> '$.loaded_chunks' AS loaded, c.body -> '$.used_chunks' AS used, c.body -> '$.missed_chunks' AS missed
  FROM json_each(@entities) a CROSS JOIN names k ON k.name = a.key
  CROSS JOIN entries r INDEXED BY entries_time
    ON r.type = 'recall' AND r.agent_id = k.id AND r.created_at >= @since AND r.created_at < @until
  LEFT JOIN entries c ON c.type = 'closing' AND c.audit_token = r.audit_token
  LEFT JOIN entries f ON f.type = 'recall' AND f.audit_token = r.body ->> '$.follows' AND f.body ->> '$.kind' IS NULL
  WHERE r.seq % ${CHECK_EVERY} <> 0 OR audit_continues()
), chunks AS MATERIALIZED (
  SELECT t.agent_id, t.seq, x.value ->> 0 AS name, x.value ->> 0 IN (SELECT value FROM json_each(t.used)) AS used
  FROM answers t, json_each(t.loaded) x WHERE t.kind = 'recall' AND t.used_n + t.missed_n > 0
), members AS MATERIALIZED (
  SELECT agent_id, seq AS find, 1 AS is_first, loaded, used, missed_n, NULL AS hints
  FROM answers WHERE kind = 'recall' AND own AND NOT follows
  UNION ALL
  SELECT t.agent_id, t.seq, 0, r.body -> '$.loaded_chunks', c.body -> '$.used_chunks', ${MISSED},
    COALESCE(${nameOf('r.request')}, r.body ->> '$.request') -> '$.manifest_hint'
  FROM answers t
  CROSS JOIN entries r INDEXED BY entries_follows
    ON r.type = 'recall' AND r.body ->> '$.follows' = +t.token AND r.body ->> '$.follows' IS NOT NULL
  LEFT JOIN entries c ON c.type = 'closing' AND c.audit_token = r.audit_token
  WHERE t.kind = 'recall' AND t.own
), needs AS MATERIALIZED (
  SELECT DISTINCT m.agent_id, m.find, x.value AS name FROM members m, json_each(m.used) x
), loads AS MATERIALIZED (
  SELECT m.find, m.is_first, x.value ->> 0 AS name, x.key + 1 AS rank,
    x.value ->> 0 IN (SELECT value FROM json_each(m.hints)) AS chosen
  FROM members m, json_each(m.loaded) x WHERE m.find IN (SELECT find FROM needs)
), found AS MATERIALIZED (
  SELECT n.agent_id, n.find, MIN(l.rank) AS rank, MAX(l.is_first) AS is_first, MAX(l.chosen) AS chosen
  FROM needs n LEFT JOIN loads l ON l.find = n.find AND l.name = n.name GROUP BY n.find, n.name
), gains AS MATERIALIZED (
  SELECT find, COUNT(*) AS used, MIN(rank) AS rank, COALESCE(MAX(chosen), 0) AS chosen, COALESCE(MAX(is_first), 0) AS is_first
  FROM found GROUP BY find
)
SELECT 'h', agent_id, heartbeat, COUNT(*), SUM(kind = 'recall'), SUM(aborted), SUM(kind = 'recall' AND NOT closed),
  SUM(kind = 'recall' AND closed AND used_n + missed_n = 0), SUM(kind = 'recall' AND used_n = 0 AND missed_n > 0),
  SUM(used_n + missed_n > 0), SUM(used_n), SUM(missed_n), SUM(unnamed), SUM(IIF(unnamed OR aborted, 0, tokens)),
  MAX(gains.find IS NOT NULL), MAX(NOT unnamed AND NOT aborted),
  MAX(kind = 'heartbeat' AND NOT unnamed AND NOT aborted), COALESCE(MIN(gains.rank), 0)
FROM answers LEFT JOIN gains ON gains.find = answers.seq WHERE own GROUP BY agent_id, heartbeat
UNION ALL
SELECT 'f', m.agent_id, NULL, SUM(COALESCE(gains.used, 0)), SUM(COALESCE(is_first AND NOT chosen, 0)),
  SUM(COALESCE(chosen, 0)), SUM(gains.find IS NULL AND missed)${zeros(11)}
FROM (SELECT agent_id, find, MAX(missed_n) > 0 AS missed FROM members GROUP BY find) m LEFT JOIN gains USING (find)
GROUP BY m.agent_id
UNION ALL
SELECT 'o', agent_id, NULL, COUNT(*)${zeros(14)} FROM answers WHERE NOT own GROUP BY agent_id
UNION ALL
SELECT 'r', agent_id, rank, COUNT(*)${zeros(14)} FROM found WHERE rank IS NOT NULL GROUP BY agent_id, rank
UNION ALL
SELECT 'm', agent_id, name, times, MAX(0, names - ${NAMES_SUMMED})${zeros(13)} FROM (
  SELECT agent_id, value AS name, COUNT(*) AS times, COUNT(*) OVER (PARTITION BY agent_id) AS names,
    ROW_NUMBER() OVER (PARTITION BY agent_id ORDER BY COUNT(*) DESC, value) AS place
  FROM (SELECT DISTINCT t.agent_id, t.seq, x.value FROM answers t, json_each(t.missed) x WHERE t.missed_n > 0)
  GROUP BY agent_id, value
) WHERE place <= ${NAMES_SUMMED}
UNION ALL
SELECT 'u', agent_id, name, COUNT(*), SUM(used)${zeros(13)} FROM (
  SELECT DISTINCT agent_id, seq, name, used FROM chunks
) GROUP BY agent_id, name
`;
