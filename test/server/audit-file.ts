import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { vi } from 'vitest';
import { answeredEntry, listedEntry, type AnsweredRow } from '../../server/audit/records/entry.ts';
import { ENTRY, RECALL_ROW } from '../../server/audit/records/names.ts';

export type Row = Readonly<Record<string, unknown>>;
type Table = 'recalls' | 'closings' | 'instruction_audit';

/** Queries for each recall and closing. */
const SQL: Readonly<Record<Table, string>> = {
  recalls: `SELECT ${RECALL_ROW}, NULL AS first_seq, NULL AS first_intent FROM entries r LEFT JOIN intents i USING (seq)
    LEFT JOIN entries c ON c.type = 'closing' AND c.audit_token = r.audit_token WHERE r.type = 'recall' ORDER BY r.seq`,
  closings: `SELECT audit_token, created_at, COALESCE(body -> '$.used_chunks', '[]') AS used_chunks,
    COALESCE(body -> '$.missed_chunks', '[]') AS missed_chunks, COALESCE(body ->> '$.nothing_fits', 0) AS nothing_fits
    FROM entries WHERE type = 'closing' ORDER BY seq`,
  instruction_audit: 'SELECT * FROM instruction_audit',
};

/** All rows of one kind in an audit file, once the spool is empty. */
export async function rows(file: string, table: Table): Promise<Row[]> {
  await settled(file);
  return storedRows(file, table);
}

/** Resolves once the spool is empty; rejects if it stays full. */
export async function settled(file: string): Promise<void> {
  await vi.waitFor(
    () => {
      if (hasSpooledRows(file)) throw new Error(`rows of ${file} still wait in its spool`);
    },
    { timeout: 30_000, interval: 10 },
  );
}

function hasSpooledRows(file: string): boolean {
  const spool = `${file}.spool`;
  if (!existsSync(spool)) return false;
  return readdirSync(spool).some(
    (it) => it.endsWith('.jsonl') && (statSync(join(spool, it), { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
}

/** All rows of one kind that are stored in an audit file now. */
export function storedRows(file: string, table: Table): Row[] {
  const db = new Database(file, { readonly: true });
  try {
    return (db.prepare(SQL[table]).all() as Row[]).map((it) => (table === 'recalls' ? recalled(it) : it));
  } finally {
    db.close();
  }
}

/** A recall as it was recorded; lists become JSON text, as in the view. */
function recalled(row: Row): Row {
  const read = row as unknown as AnsweredRow;
  const texts = Object.entries({ ...listedEntry(read), ...answeredEntry(read) }).map(([name, value]) => [
    ...[name, Array.isArray(value) ? JSON.stringify(value) : value],
  ]);
  return Object.fromEntries(texts) as Row;
}

/** The calls about capsules in an audit file, with their columns. */
export function capsuleCalls(file: string): Row[] {
  const db = new Database(file, { readonly: true });
  const calls = db.prepare(`SELECT ${ENTRY} FROM entries e WHERE type = 'capsule' ORDER BY seq`).all() as Row[];
  db.close();
  return calls.map(({ body, own, ...row }) => ({ ...row, id: own, ...(JSON.parse(String(body)) as Row) }));
}

/** The one row of an audit token. */
export async function rowOf(file: string, table: Table, token: unknown): Promise<Row> {
  const found = (await rows(file, table)).filter((row) => row['audit_token'] === token);
  if (found.length !== 1) throw new Error(`${found.length} rows of ${table} have the token ${String(token)}`);
  return found[0] ?? {};
}
