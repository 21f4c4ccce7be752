import type { Database as Connection } from 'better-sqlite3';
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

/** Aggregates an audit file. */
export interface SqliteSums {
  readonly days: (query: DaysQuery, isStopped?: () => boolean) => AuditDay[];
  readonly sums: (query: SumsQuery, isStopped?: () => boolean) => AuditSums[];
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
  const days = { one: db.prepare(DAYS('recall', '= @agent')), all: db.prepare(DAYS('recall', AGENTS)) };
  const closings = { one: db.prepare(DAYS('closing', '= @agent')), all: db.prepare(DAYS('closing', AGENTS)) };
  return {
    days: (query, isCancelled = () => false) => {
      isStopped = isCancelled;
      const of = query.agent === null ? 'all' : 'one';
      const around = { ...query, since: query.since - 2 * DAY_MS, until: query.until + 3 * DAY_MS, cut: 0 };
      return daysOf(days[of].all(query) as DayCount[], closings[of].all(around) as DayCount[]);
    },
    sums: ({ entities, since, until }, isCancelled = () => false) => {
      isStopped = isCancelled;
      const given = { entities: JSON.stringify(entities), since, until };
      return sumsOf(sums.iterate(given) as Iterable<SumsRow>);
    },
  };
}

/** A skip scan: jumps through the index from one agent to the next. */
const AGENTS = `IN (WITH RECURSIVE skip(agent) AS (SELECT MIN(agent_id) FROM entries INDEXED BY entries_agent
  WHERE type = 'recall' UNION ALL
  SELECT (SELECT MIN(agent_id) FROM entries INDEXED BY entries_agent WHERE type = 'recall' AND agent_id > skip.agent)
  FROM skip WHERE skip.agent IS NOT NULL) SELECT agent FROM skip WHERE agent IS NOT NULL)`;

/** Uses only an index, which contains the time and `seq`; no entry is read. */
const DAYS = (type: 'recall' | 'closing', agent: string) => `
SELECT agent_id, CAST(created_at / ${DAY_MS} AS INTEGER) AS day, created_at >= @cut AS after_cut, COUNT(*) AS rows,
  MIN(seq) AS first, MAX(seq) AS last
FROM entries INDEXED BY ${type === 'recall' ? 'entries_time' : 'entries_closed'}
WHERE type = '${type}' AND agent_id ${agent} AND created_at >= @since AND created_at < @until
  AND (seq % ${CHECK_EVERY} <> 0 OR audit_continues())
GROUP BY 1, 2, 3 ORDER BY 2 DESC, 3 DESC, 1`;

/** Each answer is read once; all figures are computed from that. */
const SUMS = `
WITH answers AS MATERIALIZED (
  SELECT r.agent_id, r.seq, r.created_at, r.body ->> '$.kind' AS kind, r.body ->> '$.aborted' AS aborted,
    r.body ->> '$.heartbeat_id' AS heartbeat, r.body ->> '$.heartbeat_source' = 'generated' AS unnamed,
    r.body ->> '$.tokens' AS tokens, c.id IS NOT NULL AS closed,
    (c.id IS NOT NULL OR r.body ->> '$.asked_by' = a.value) AS own,
    (SELECT COUNT(DISTINCT value) FROM json_each(c.body, '$.used_chunks')) AS used_n,
    (SELECT COUNT(DISTINCT value) FROM json_each(c.body, '$.missed_chunks')) AS missed_n,
    CASE WHEN c.id IS NULL THEN NULL ELSE r.body -> '$.loaded_chunks' END AS loaded,
    c.body -> '$.used_chunks' AS used, c.body -> '$.missed_chunks' AS missed
  FROM json_each(@entities) a
  CROSS JOIN entries r INDEXED BY entries_time
    ON r.type = 'recall' AND r.agent_id = a.key AND r.created_at >= @since AND r.created_at < @until
  LEFT JOIN entries c ON c.type = 'closing' AND c.id = r.audit_token
  WHERE r.seq % ${CHECK_EVERY} <> 0 OR audit_continues()
), chunks AS MATERIALIZED (
  SELECT t.agent_id, t.seq, x.value ->> '$.name' AS name, x.value ->> '$.rank' AS rank,
    x.value ->> '$.name' IN (SELECT value FROM json_each(t.used)) AS used
  FROM answers t, json_each(t.loaded) x WHERE t.kind = 'recall' AND t.used_n + t.missed_n > 0
), best_ranks AS MATERIALIZED (SELECT seq, MIN(rank) AS rank FROM chunks WHERE used GROUP BY seq)
SELECT 'h', agent_id, heartbeat, COUNT(*), SUM(kind = 'recall'), SUM(aborted), SUM(kind = 'recall' AND NOT closed),
  SUM(kind = 'recall' AND closed AND used_n + missed_n = 0), SUM(kind = 'recall' AND used_n = 0 AND missed_n > 0),
  SUM(used_n + missed_n > 0), SUM(used_n), SUM(missed_n), SUM(IIF(kind = 'recall', used_n, 0)), SUM(unnamed),
  SUM(IIF(unnamed OR aborted, 0, tokens)), SUM(missed_n > 0), MAX(kind = 'recall' AND used_n > 0),
  MAX(NOT unnamed AND NOT aborted), MAX(kind = 'heartbeat' AND NOT unnamed AND NOT aborted), COALESCE(MIN(best_ranks.rank), 0)
FROM answers LEFT JOIN best_ranks USING (seq) WHERE own GROUP BY agent_id, heartbeat
UNION ALL
SELECT 'o', agent_id, NULL, COUNT(*), ${'0, '.repeat(15)}0 FROM answers WHERE NOT own GROUP BY agent_id
UNION ALL
SELECT 'r', agent_id, rank, COUNT(*), ${'0, '.repeat(15)}0 FROM chunks WHERE used GROUP BY agent_id, rank
UNION ALL
SELECT 'm', agent_id, name, times, MAX(0, names - ${NAMES_SUMMED}), ${'0, '.repeat(14)}0 FROM (
  SELECT agent_id, value AS name, COUNT(*) AS times, COUNT(*) OVER (PARTITION BY agent_id) AS names,
    ROW_NUMBER() OVER (PARTITION BY agent_id ORDER BY COUNT(*) DESC, value) AS place
  FROM (SELECT DISTINCT t.agent_id, t.seq, x.value FROM answers t, json_each(t.missed) x WHERE t.missed_n > 0)
  GROUP BY agent_id, value
) WHERE place <= ${NAMES_SUMMED}
UNION ALL
SELECT 'u', agent_id, name, COUNT(*), SUM(used), ${'0, '.repeat(14)}0 FROM (
  SELECT DISTINCT agent_id, seq, name, used FROM chunks
) GROUP BY agent_id, name
UNION ALL
SELECT 'n', agent_id, seq, created_at, ${'0, '.repeat(15)}0 FROM (
  SELECT agent_id, seq, created_at, ROW_NUMBER() OVER (PARTITION BY agent_id ORDER BY created_at DESC, seq DESC) AS place
  FROM answers WHERE missed_n > 0
) WHERE place <= ${MISSES_SUMMED}
`;
