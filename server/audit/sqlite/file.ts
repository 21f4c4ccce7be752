import { closeSync, openSync, readSync } from 'node:fs';
import Database, { type Database as Connection } from 'better-sqlite3';
import { changeOnce } from '../../../compiler/io/files/change-once.ts';
import { otherVersion } from '../records/hash-chain.ts';
import { EARLIER_VERSION, SCHEMA, SCHEMA_VERSION, UPGRADE } from './schema.ts';

/** At the first opening another process may be creating the tables. */
const FIRST_BUSY_MS = 5000;

/**
 * Opens an audit file for writing, and creates the tables of a new one; with mode 0600, because it contains intents.
 * In WAL mode with `synchronous = NORMAL`, a commit survives the process; a loss of power may lose the last commits.
 *
 * @throws Error if it cannot be opened, is not an audit, or has another version
 */
export function openSqliteFile(path: string): Connection {
  closeSync(openSync(path, 'a', 0o600));
  const db = new Database(path, { timeout: FIRST_BUSY_MS });
  try {
    assertKnown(db);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    changeOnce(
      db,
      () => versionOf(db) === 0,
      () => db.exec(SCHEMA),
    );
    upgrade(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens an existing audit file for reading. @throws Error as openSqliteFile */
export function readSqliteFile(path: string): Connection {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    assertKnown(db);
    if (versionOf(db) === 0) throw new Error('it contains no audit');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Brings a file of the version before to this one. */
function upgrade(db: Connection): void {
  // the text of a constraint can be changed only in this mode
  db.unsafeMode(true);
  try {
    changeOnce(
      db,
      () => versionOf(db) === EARLIER_VERSION,
      () => db.exec(UPGRADE),
    );
  } finally {
    db.unsafeMode(false);
  }
}

const MAGIC = Buffer.from('SQLite format 3\0');

/** Whether a file begins with the header of SQLite. @throws Error if it cannot be read */
export function isSqliteFile(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(MAGIC.length);
    readSync(file, start, 0, start.length, 0);
    return start.equals(MAGIC);
  } finally {
    closeSync(file);
  }
}

function versionOf(db: Connection): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/** A file of another version is not changed: its rows cannot be chained afterwards. */
function assertKnown(db: Connection): void {
  const version = versionOf(db);
  if (version === SCHEMA_VERSION || version === EARLIER_VERSION) return;
  if (version !== 0) throw new Error(otherVersion(version, SCHEMA_VERSION));
  const tables = db.prepare('SELECT name FROM sqlite_schema WHERE type = ?').pluck().all('table') as string[];
  if (tables.includes('recalls')) {
    throw new Error('it was written by vade 0.1, without a chain: move it away, and a new one is created');
  }
  if (tables.length > 0) throw new Error('it is another database');
}
