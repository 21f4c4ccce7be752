import { escapeLiteral, type QueryResult } from 'pg';
import { chained, genesis, openingEntry, unnamedHeads } from '../records/hash-chain.ts';
import type { ChainHead, NewEntry, StoreOptions } from '../records/store.ts';
import type { Connection } from './connection.ts';
import { monthOf } from './months.ts';

/** The writers of all entries, by a skip scan of the index. */
export const WRITERS_OF_ENTRIES = `WITH RECURSIVE skip(writer) AS (SELECT MIN(writer) FROM entries
  UNION ALL SELECT (SELECT MIN(writer) FROM entries e WHERE e.writer > skip.writer) FROM skip WHERE skip.writer IS NOT NULL)
  SELECT writer FROM skip WHERE writer IS NOT NULL`;

/**
 * Appends the entries that do not exist yet to the writer's chain, within a transaction. The lock is per writer. If a
 * transaction of another instance inserts the same entry, one of the two fails and is retried.
 */
export async function appendEntries(
  connection: Connection,
  options: StoreOptions,
  entries: readonly NewEntry[],
): Promise<ChainHead> {
  const head = await lockedHead(connection, options.writer);
  const opening = head.n === 0 ? [openingEntry(options, await headsToName(connection))] : [];
  const added = [...opening, ...withoutDuplicates(entries, await findExisting(connection, entries))];
  const chain = chainOf(head, added);
  await insert(connection, options.writer, added, chain);
  return chain.at(-1) ?? head;
}

/** The chain head after each entry. */
function chainOf(head: ChainHead, entries: readonly NewEntry[]): ChainHead[] {
  const chain: ChainHead[] = [];
  for (const { body } of entries) chain.push(chained(chain.at(-1) ?? head, body));
  return chain;
}

/**
 * The end of the writer's chain, which nobody else continues until the transaction ends: one whose connection broke may
 * still run, or may have been committed without a reply. Read each time; if retention dropped every entry, the
 * retirement has the head. Two statements in one round trip: the second one sees what was committed while the first one
 * waited.
 */
async function lockedHead(connection: Connection, writer: string): Promise<ChainHead> {
  const name = escapeLiteral(writer);
  const results: unknown = await connection.query(
    `SELECT pg_advisory_xact_lock(hashtextextended(${escapeLiteral(`vade-audit ${writer}`)}, 0));
     SELECT writer, n, hash FROM (
       (SELECT writer, n, hash FROM entries WHERE writer = ${name} ORDER BY n DESC LIMIT 1)
       UNION ALL (SELECT writer, n, hash FROM retired WHERE writer = ${name} ORDER BY n DESC LIMIT 1)
     ) ends ORDER BY n DESC LIMIT 1`,
  );
  // the driver's types know one statement a query; several have a result each
  const [, ends] = results as [QueryResult, QueryResult<ChainHead>];
  return ends.rows[0] ?? genesis(writer);
}

async function headsToName(connection: Connection): Promise<ChainHead[]> {
  const ends = await connection.query<ChainHead>(
    `SELECT e.writer, e.n, e.hash FROM (${WRITERS_OF_ENTRIES}) o CROSS JOIN LATERAL
     (SELECT * FROM entries WHERE writer = o.writer ORDER BY n DESC LIMIT 1) e`,
  );
  const openings = await connection.query<{ body: string }>("SELECT body FROM entries WHERE type = 'opening'");
  return unnamedHeads(
    ends.rows,
    openings.rows.map((it) => it.body),
  );
}

/** Indices of the entries that exist already in their month, by type and id or by the token of a recall. */
async function findExisting(connection: Connection, entries: readonly NewEntry[]): Promise<ReadonlySet<number>> {
  const { rows } = await connection.query<{ place: number }>(
    `SELECT place - 1 AS place
     FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[]) WITH ORDINALITY AS g(type, id, token, month, place)
     WHERE EXISTS (SELECT FROM entries e WHERE e.type = g.type AND e.id = g.id AND e.month = g.month)
     OR (g.type = 'recall' AND EXISTS
       (SELECT FROM entries e WHERE e.type = 'recall' AND e.audit_token = g.token AND e.month = g.month))`,
    [
      entries.map((it) => it.type),
      entries.map((it) => it.id),
      entries.map((it) => it.audit_token),
      entries.map(monthOf),
    ],
  );
  return new Set(rows.map((it) => it.place));
}

/** Keeps the first of entries with the same type and id, or the same token. */
function withoutDuplicates(entries: readonly NewEntry[], existing: ReadonlySet<number>): NewEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ type, id, audit_token }, place) => {
    const names = [`${type} id ${id}`, ...(type === 'recall' ? [`${type} token ${audit_token}`] : [])];
    if (existing.has(place) || names.some((name) => seen.has(name))) return false;
    for (const name of names) seen.add(name);
    return true;
  });
}

async function insert(
  connection: Connection,
  writer: string,
  entries: readonly NewEntry[],
  chain: readonly ChainHead[],
): Promise<void> {
  if (entries.length === 0) return;
  const column = <T>(of: (entry: NewEntry) => T) => entries.map(of);
  const columns = [
    writer,
    chain.map((it) => it.n),
    column((it) => it.type),
    column((it) => it.id),
    column((it) => it.agent_id),
    column((it) => it.audit_token),
    column((it) => it.created_at),
    column((it) => it.body),
    chain.map((it) => it.hash),
    column(monthOf),
  ];
  // one statement for both tables: each more is a round trip, for which the answers of the batch wait
  await connection.query(INSERT, [...columns, ...intentColumns(entries)]);
}

const INSERT = `WITH added AS (
  INSERT INTO entries (writer, n, type, id, agent_id, audit_token, created_at, body, hash, month)
  SELECT $1, g.* FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[],
  $9::text[], $10::integer[]) AS g(n, type, id, agent_id, audit_token, created_at, body, hash, month) ORDER BY g.n
) INSERT INTO intents (month, id, salt, text, raw, files)
SELECT * FROM unnest($11::integer[], $12::text[], $13::text[], $14::text[], $15::bytea[], $16::text[])`;

/** Text in PostgreSQL cannot contain NUL; the bytes of an intent that does are kept apart. */
function intentColumns(entries: readonly NewEntry[]): unknown[][] {
  const withIntent = entries.flatMap((it) =>
    it.intent === null ? [] : [{ month: monthOf(it), id: it.id, ...it.intent }],
  );
  return [
    withIntent.map((it) => it.month),
    withIntent.map((it) => it.id),
    withIntent.map((it) => it.salt),
    withIntent.map((it) => it.text.replaceAll('\0', '\ufffd')),
    withIntent.map(({ text }) => (text.includes('\0') ? Buffer.from(text) : null)),
    withIntent.map((it) => it.files),
  ];
}
