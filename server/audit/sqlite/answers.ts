import type { Database as Connection } from 'better-sqlite3';
import type { AuditedAnswer, AnswersFilter } from '../../../compiler/schema/audit/answered.ts';
import { answeredEntry, type AnsweredRow } from '../records/entry.ts';
import { RECALL_ROW, refTo } from '../records/names.ts';
import { AGENTS } from './sums.ts';

/** First and last `seq` of the rows that a filter matches; null without any. */
interface Span {
  readonly first: number | null;
  readonly last: number | null;
}

/**
 * Reads recalls and heartbeats ordered by `seq`. The first and the last `seq` of the window are looked up once, in an
 * index by time: rows of an outage are stored late, so the order by time differs.
 */
export function answersIn(db: Connection): (filter: AnswersFilter, after: number, limit: number) => AuditedAnswer[] {
  const ofOne = {
    span: db.prepare(SPAN(`= ${refTo('@agent')}`)),
    page: db.prepare(PAGE('INDEXED BY entries_agent', `r.agent_id = ${refTo('@agent')} AND`)),
  };
  const ofAll = { span: db.prepare(SPAN(`IN (${AGENTS})`)), page: db.prepare(PAGE('NOT INDEXED', '')) };
  let known: { readonly of: string; readonly span: Span } | null = null;
  return (filter, after, limit) => {
    const { span, page } = filter.agent === null ? ofAll : ofOne;
    const of = JSON.stringify([filter.agent, filter.since, filter.until]);
    if (after === 0 || known?.of !== of) known = { of, span: span.get(filter) as Span };
    const { first, last } = known.span;
    if (first === null || last === null) return [];
    const rows = page.all({ ...filter, after: Math.max(after, first - 1), last, limit });
    return (rows as AnsweredRow[]).map(answeredEntry);
  };
}

/** Uses only the index by time, which contains `seq`. */
const SPAN = (agents: string) => `SELECT MIN(seq) AS first, MAX(seq) AS last FROM entries INDEXED BY entries_time
  WHERE type = 'recall' AND agent_id ${agents} AND created_at >= @since AND created_at < @until`;

/** Its closing and intent, and the recall that it follows with its own. */
const JOINED = `LEFT JOIN entries c ON c.type = 'closing' AND c.audit_token = r.audit_token
  LEFT JOIN intents i ON i.seq = r.seq
  LEFT JOIN entries f ON f.type = 'recall' AND f.audit_token = r.body ->> '$.follows' AND f.body ->> '$.kind' IS NULL
  LEFT JOIN intents j ON j.seq = f.seq`;

/** Scans in the order of `seq` from the start of the page; any other plan sorts all remaining rows for each page. */
const PAGE = (
  by: string,
  agent: string,
) => `SELECT ${RECALL_ROW}, f.seq AS first_seq, j.text AS first_intent FROM entries r ${by} ${JOINED}
  WHERE ${agent} r.type = 'recall' AND r.seq > @after AND r.seq <= @last
  AND r.created_at >= @since AND r.created_at < @until ORDER BY r.seq LIMIT @limit`;
