import { escapeLiteral, type QueryResult } from 'pg';
import { chained, genesis, openingEntry, ownId, unnamedHeads } from '../records/hash-chain.ts';
import { NAMED, nameOf, namesIn, refTo } from '../records/names.ts';
import type { ChainHead, NewEntry, StoreOptions } from '../records/store.ts';
import type { Connection } from './connection.ts';
import { monthOf } from './months.ts';

/** References to the writers of all entries, by a skip scan of the index. */
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
  const added = [...opening, ...withoutDuplicates(entries, await findExisting(connection, options.writer, entries))];
  const chain = chainOf(head, added);
  await insert(connection, options.writer, added, chain);
  return chain.at(-1) ?? head;
}

/** The chain head after each entry. */
function chainOf(head: ChainHead, entries: readonly NewEntry[]): ChainHead[] {
  const chain: ChainHead[] = [];
  for (const entry of entries) chain.push(chained(chain.at(-1) ?? head, entry));
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
       (SELECT ${name} AS writer, n, encode(hash, 'hex') AS hash FROM entries WHERE writer = ${refTo(name)} ORDER BY n DESC LIMIT 1)
       UNION ALL (SELECT writer, n, hash FROM retired WHERE writer = ${name} ORDER BY n DESC LIMIT 1)
     ) ends ORDER BY n DESC LIMIT 1`,
  );
  // the driver's types know one statement a query; several have a result each
  const [, ends] = results as [QueryResult, QueryResult<ChainHead>];
  return ends.rows[0] ?? genesis(writer);
}

async function headsToName(connection: Connection): Promise<ChainHead[]> {
  const ends = await connection.query<ChainHead>(
    `SELECT ${nameOf('e.writer')} AS writer, e.n, encode(e.hash, 'hex') AS hash FROM (${WRITERS_OF_ENTRIES}) o CROSS JOIN LATERAL
     (SELECT * FROM entries WHERE writer = o.writer ORDER BY n DESC LIMIT 1) e`,
  );
  const openings = await connection.query<{ body: string }>("SELECT body FROM entries WHERE type = 'opening'");
  return unnamedHeads(
    ends.rows,
    openings.rows.map((it) => it.body),
  );
}

/**
 * Indices of the entries that exist already in their month, by their token or id. The same statement keeps the names
 * that are new, for the next one to refer to.
 */
async function findExisting(
  connection: Connection,
  writer: string,
  entries: readonly NewEntry[],
): Promise<ReadonlySet<number>> {
  const { rows } = await connection.query<{ place: number }>(
    `WITH added AS (INSERT INTO names (name) SELECT name FROM unnest($5::text[]) WITH ORDINALITY AS g(name, place)
       WHERE NOT EXISTS (SELECT FROM names n WHERE n.name = g.name) ORDER BY place ON CONFLICT DO NOTHING)
     SELECT place - 1 AS place
     FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[]) WITH ORDINALITY AS g(type, id, token, month, place)
     WHERE EXISTS (SELECT FROM entries e WHERE e.type = g.type AND e.id = g.id AND e.id <> '' AND e.month = g.month)
     OR (g.type = 'recall' AND EXISTS
       (SELECT FROM entries e WHERE e.type = 'recall' AND e.audit_token = g.token AND e.month = g.month))
     OR (g.type = 'closing' AND EXISTS
       (SELECT FROM entries e WHERE e.type = 'closing' AND e.audit_token = g.token AND e.month = g.month))`,
    [
      entries.map((it) => it.type),
      entries.map(ownId),
      entries.map((it) => it.audit_token),
      entries.map(monthOf),
      namesIn(writer, entries),
    ],
  );
  return new Set(rows.map((it) => it.place));
}

/** Keeps the first of entries with the same type and id, or the same token. */
function withoutDuplicates(entries: readonly NewEntry[], existing: ReadonlySet<number>): NewEntry[] {
  const seen = new Set<string>();
  return entries.filter((entry, place) => {
    const name = `${entry.type} ${entry.id}`;
    if (existing.has(place) || seen.has(name)) return false;
    seen.add(name);
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
    column(ownId),
    ...NAMED.map((name) => column((it) => it[name])),
    column((it) => it.audit_token),
    column((it) => it.created_at),
    column((it) => it.body),
    chain.map((it) => it.hash),
    column(monthOf),
  ];
  // one statement for both tables: each more is a round trip, for which the answers of the batch wait
  await connection.query(INSERT, [...columns, ...intentColumns(entries, chain)]);
}

const INSERT = `WITH added AS (
  INSERT INTO entries (writer, n, type, id, ${NAMED.join(', ')}, audit_token, created_at, body, hash, month)
  SELECT ${refTo('$1')}, n, type, id, ${NAMED.map((it) => refTo(`g.${it}`)).join(', ')}, audit_token, created_at, body,
  decode(hash, 'hex'), month FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
  $8::text[], $9::text[], $10::bigint[], $11::text[], $12::text[], $13::integer[])
  AS g(n, type, id, ${NAMED.join(', ')}, audit_token, created_at, body, hash, month) ORDER BY g.n RETURNING n, seq
) INSERT INTO intents (month, seq, salt, text, raw, files)
SELECT month, seq, salt, text, raw, files FROM added JOIN unnest($14::integer[], $15::bigint[], $16::text[], $17::text[],
  $18::bytea[], $19::text[]) AS g(month, n, salt, text, raw, files) USING (n)`;

/** Text in PostgreSQL cannot contain NUL; the bytes of an intent that does are kept apart. */
function intentColumns(entries: readonly NewEntry[], chain: readonly ChainHead[]): unknown[][] {
  const withIntent = entries.flatMap((it, i) =>
    it.intent === null ? [] : [{ month: monthOf(it), n: chain[i]?.n, ...it.intent }],
  );
  return [
    withIntent.map((it) => it.month),
    withIntent.map((it) => it.n),
    withIntent.map((it) => it.salt),
    withIntent.map((it) => it.text.replaceAll('\0', '\ufffd')),
    withIntent.map(({ text }) => (text.includes('\0') ? Buffer.from(text) : null)),
    withIntent.map((it) => it.files),
  ];
}
