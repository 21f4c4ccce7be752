import type { AuditedAnswer, AnswersFilter } from '../../../compiler/schema/audit/answered.ts';
import { answeredEntry, type AnsweredRow } from '../records/entry.ts';
import { RECALL_ROW, refTo } from '../records/names.ts';
import type { Connection } from './connection.ts';
import { monthsOf } from './months.ts';

/** First and last `seq` of the rows that a filter matches; null without any. */
interface Span {
  readonly first: number | null;
  readonly last: number | null;
}

/** Reads recalls and heartbeats ordered by `seq`; looks up the ends of the window once, as sqlite/answers.ts. */
export function answersOn(connection: Connection): (...page: Page) => Promise<readonly AuditedAnswer[]> {
  let known: { readonly of: string; readonly span: Span } | null = null;
  return async (filter, after, limit) => {
    const of = JSON.stringify([filter.agent, filter.since, filter.until]);
    if (after === 0 || known?.of !== of) known = { of, span: await spanOf(connection, filter) };
    const { first, last } = known.span;
    if (first === null || last === null) return [];
    return readPage(connection, filter, { from: Math.max(after, first - 1), last, limit });
  };
}

/** Without statistics the planner sorts all matching rows: so the rows of all agents are read in windows of `seq`. */
async function readPage(
  connection: Connection,
  { agent, since, until }: AnswersFilter,
  { from, last, limit }: { readonly from: number; readonly last: number; readonly limit: number },
): Promise<AuditedAnswer[]> {
  const width = agent === null ? SEQ_WINDOW : last;
  const read: AuditedAnswer[] = [];
  for (let at = from; at < last && read.length < limit; at += width) {
    const given = [agent, since, until, at, Math.min(last, at + width), limit - read.length, ...monthsOf(since, until)];
    const { rows } = await connection.query<Row>(PAGE, given);
    read.push(...rows.map(answeredRow));
  }
  return read;
}

function answeredRow({ raw, first_raw, ...row }: Row): AuditedAnswer {
  const intent = raw === null ? row.intent : raw.toString();
  return answeredEntry({ ...row, intent, first_intent: first_raw === null ? row.first_intent : first_raw.toString() });
}

/** Width in `seq`: more than a page, because it includes closings. */
const SEQ_WINDOW = 4000;

type Row = AnsweredRow & { readonly raw: Buffer | null; readonly first_raw: Buffer | null };
type Page = [filter: AnswersFilter, after: number, limit: number];

async function spanOf(connection: Connection, { agent, since, until }: AnswersFilter): Promise<Span> {
  const window = [since, until, ...monthsOf(since, until)];
  const { rows } = await (agent === null
    ? connection.query<Span>(SPAN_OF_ALL, window)
    : connection.query<Span>(SPAN_OF_ONE, [...window, agent]));
  return rows[0] ?? { first: null, last: null };
}

const SPAN_OF_ONE = `SELECT MIN(seq) AS first, MAX(seq) AS last FROM entries
  WHERE type = 'recall' AND agent_id = ${refTo('$5')} AND created_at >= $1 AND created_at < $2 AND month BETWEEN $3 AND $4`;

/** Agent by agent, by a skip scan: there is no index by time across agents. */
const SPAN_OF_ALL = `WITH RECURSIVE skip(agent) AS (
  SELECT MIN(agent_id) FROM entries WHERE type = 'recall' AND month BETWEEN $3 AND $4 UNION ALL
  SELECT (SELECT MIN(agent_id) FROM entries WHERE type = 'recall' AND month BETWEEN $3 AND $4 AND agent_id > skip.agent)
  FROM skip WHERE skip.agent IS NOT NULL)
  SELECT MIN(one.first) AS first, MAX(one.last) AS last FROM skip, LATERAL (SELECT MIN(seq) AS first, MAX(seq) AS last
  FROM entries WHERE type = 'recall' AND agent_id = skip.agent AND created_at >= $1 AND created_at < $2
  AND month BETWEEN $3 AND $4) one`;

/**
 * With its closing and intent, and the recall that it follows with its own. Months are years × 100 + months, so one is
 * at most 89 from the next.
 */
const SELECT = `SELECT ${RECALL_ROW}, i.raw, f.seq AS first_seq, j.text AS first_intent, j.raw AS first_raw FROM entries r
  LEFT JOIN entries c ON c.type = 'closing' AND c.audit_token = r.audit_token AND c.month = r.month
  LEFT JOIN intents i ON i.seq = r.seq AND i.month = r.month
  LEFT JOIN LATERAL (SELECT e.seq, e.month FROM entries e WHERE e.type = 'recall'
    AND e.audit_token = audit_field(r.body, 'follows') AND e.month BETWEEN r.month - 89 AND r.month + 89
    AND audit_field(e.body, 'kind') IS NULL LIMIT 1) f ON true
  LEFT JOIN intents j ON j.seq = f.seq AND j.month = f.month`;

const PAGE = `${SELECT}
  WHERE r.type = 'recall' AND ($1::text IS NULL OR r.agent_id = ${refTo('$1')}) AND r.created_at >= $2 AND r.created_at < $3
  AND r.seq > $4 AND r.seq <= $5 AND r.month BETWEEN $7 AND $8 ORDER BY r.seq LIMIT $6`;
