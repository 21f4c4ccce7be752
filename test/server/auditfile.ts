import Database from 'better-sqlite3';

export type Row = Readonly<Record<string, unknown>>;
type Table = 'recalls' | 'closings' | 'instruction_audit';

/** Everything in a table of an audit file, read beside the server that writes it. */
export function rows(file: string, table: Table): Row[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare(`SELECT * FROM ${table}`).all() as Row[];
  } finally {
    db.close();
  }
}

/** The one row of an audit token. */
export function rowOf(file: string, table: Table, token: unknown): Row {
  const found = rows(file, table).filter((row) => row['audit_token'] === token);
  if (found.length !== 1) throw new Error(`${found.length} rows of ${table} have the token ${String(token)}`);
  return found[0] ?? {};
}
