import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { vi } from 'vitest';

export type Row = Readonly<Record<string, unknown>>;
type Table = 'recalls' | 'closings' | 'instruction_audit';

/** Queries for each recall and closing: the body, and the intent from its own table. */
const SQL: Readonly<Record<Table, string>> = {
  recalls: `SELECT e.body, COALESCE(i.text, '') AS intent FROM entries e LEFT JOIN intents i ON i.id = e.id
    WHERE e.type = 'recall' ORDER BY e.seq`,
  closings: "SELECT body FROM entries WHERE type = 'closing' ORDER BY seq",
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
    return (db.prepare(SQL[table]).all() as Row[]).map(withBodyColumns);
  } finally {
    db.close();
  }
}

/** Spreads the body into columns; lists become JSON text, as in the view. */
function withBodyColumns({ body, ...row }: Row): Row {
  const members = typeof body === 'string' ? Object.entries(JSON.parse(body) as Row) : [];
  const texts = members.map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]);
  return { ...(Object.fromEntries(texts) as Row), ...row };
}

/** The one row of an audit token. */
export async function rowOf(file: string, table: Table, token: unknown): Promise<Row> {
  const found = (await rows(file, table)).filter((row) => row['audit_token'] === token);
  if (found.length !== 1) throw new Error(`${found.length} rows of ${table} have the token ${String(token)}`);
  return found[0] ?? {};
}
