import { statSync } from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';
import { openDatabaseFile, openPrepared } from '../../../compiler/io/files/database-file.ts';
import { isNewDatabase } from '../../../compiler/io/files/database-kind.ts';
import { openDatabase } from '../../../compiler/io/files/sqlite.ts';
import { AUDIT, SCHEMA } from './schema.ts';

/** At the first opening another process may be creating the tables. */
const FIRST_BUSY_MS = 5000;

/**
 * Opens an audit file for writing, and creates the tables of a new one; with mode 0600, because it contains intents.
 * In WAL mode with `synchronous = NORMAL`, a commit survives the process; a loss of power may lose the last commits.
 *
 * @throws Error if it cannot be opened, or is not an audit of this layout; it is not changed then
 */
export function openSqliteFile(path: string): Connection {
  return openDatabaseFile(path, {
    isPrivate: true,
    timeout: FIRST_BUSY_MS,
    isNew: (db) => isNewDatabase(db, AUDIT),
    pragmas: ['journal_mode = WAL', 'synchronous = NORMAL'],
    tables: SCHEMA,
  });
}

/** Opens an existing audit file for reading. @throws Error as openSqliteFile */
export function readSqliteFile(path: string): Connection {
  return openPrepared(path, { readonly: true, fileMustExist: true }, (db) => {
    if (isNewDatabase(db, AUDIT)) throw new Error('it contains no audit');
  });
}

/**
 * Whether a file is a database, whole or damaged. SQLite is asked: a process that has the file open as a database must
 * not open it in any other way.
 *
 * @throws Error if it cannot be read
 */
export function isSqliteFile(path: string): boolean {
  if (statSync(path).size === 0) return false;
  const db = openDatabase(path, { readonly: true, fileMustExist: true });
  try {
    db.pragma('schema_version');
    return true;
  } catch (error) {
    return (error as { readonly code?: unknown }).code !== 'SQLITE_NOTADB';
  } finally {
    db.close();
  }
}
