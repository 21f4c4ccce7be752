import type { Database } from 'better-sqlite3';

/** Identifies the databases of one purpose and layout, so that no other database is taken for one. */
export interface DatabaseKind {
  /** `PRAGMA application_id`. */
  readonly application: number;
  /** `PRAGMA user_version`, from 1. */
  readonly version: number;
}

/** The SQL that marks a new database as one of a kind. */
export function markKind({ application, version }: DatabaseKind): string {
  return `PRAGMA application_id = ${application};\nPRAGMA user_version = ${version};\n`;
}

/** Whether a database has no tables yet. @throws Error if it has tables of another kind or version */
export function isNewDatabase(db: Database, { application, version }: DatabaseKind): boolean {
  const number = (name: string) => db.pragma(name, { simple: true }) as number;
  // before the version: another process may make the tables between the two, and marks them in the same transaction
  const isEmpty = db.prepare('SELECT COUNT(*) FROM sqlite_schema').pluck().get() === 0;
  const found = number('user_version');
  if (isEmpty && found === 0) return true;
  if (number('application_id') !== application) throw new Error(`it is another database: ${MOVE_AWAY}`);
  if (found !== version) throw new Error(`it has version ${found}, this vade reads version ${version}: ${MOVE_AWAY}`);
  return false;
}

const MOVE_AWAY = 'move it elsewhere; vade then creates a new one';
