import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';

export type Row = Readonly<Record<string, unknown>>;
type Table = 'recalls' | 'closings' | 'instruction_audit';

/** What is kept of each recall, and of each closing: its body, opened up, and the intent from where it is kept apart. */
const SQL: Readonly<Record<Table, string>> = {
  recalls: `SELECT e.body, COALESCE(i.text, '') AS intent FROM entries e LEFT JOIN intents i ON i.id = e.id
    WHERE e.type = 'recall' ORDER BY e.seq`,
  closings: "SELECT body FROM entries WHERE type = 'closing' ORDER BY seq",
  instruction_audit: 'SELECT * FROM instruction_audit',
};

/** Everything of one kind in an audit file, once nothing waits beside it any more. */
export async function rows(file: string, table: Table): Promise<Row[]> {
  await settled(file);
  return storedRows(file, table);
}

/** Resolves once nothing waits beside an audit file any more, as far as that comes soon. */
export async function settled(file: string): Promise<void> {
  for (let tries = 0; tries < 500 && isWaitedFor(file); tries++) await setTimeout(10);
}

function isWaitedFor(file: string): boolean {
  const spool = `${file}.spool`;
  if (!existsSync(spool)) return false;
  return readdirSync(spool).some(
    (it) => it.endsWith('.jsonl') && (statSync(join(spool, it), { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
}

/** Everything of one kind that is in an audit file now, read beside the server that writes it. */
export function storedRows(file: string, table: Table): Row[] {
  const db = new Database(file, { readonly: true });
  try {
    return (db.prepare(SQL[table]).all() as Row[]).map(opened);
  } finally {
    db.close();
  }
}

/** Lists are told as JSON, as the view tells them. */
function opened({ body, ...row }: Row): Row {
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
