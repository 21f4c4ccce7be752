import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { changeOnce } from '../../../compiler/io/files/change-once.ts';
import { openDatabase } from '../../../compiler/io/files/sqlite.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';

/** The format of a database. */
export interface RecordFormat {
  /** The content of the file, in one word, for the log. */
  readonly name: string;
  /** The action for an operator if a file has another format. */
  readonly remedy: string;
  /** `PRAGMA application_id`, so that no other file is mistaken for one. */
  readonly application: number;
  /** Makes its tables. */
  readonly tables: string;
}

/** `PRAGMA user_version` of every format. */
const VERSION = 1;

/** Maximum time that a write waits for another process, in milliseconds; it holds up its thread meanwhile. */
const WRITE_BUSY_MS = 4000;

/** A reader waits this long for a process that recovers the log after a crash, in milliseconds. */
const READ_BUSY_MS = 1000;

/**
 * Opens a file of records for writing, and makes it if it is not there. Nothing else can make them again, so a commit
 * survives a loss of power. Other processes may have it open.
 *
 * @throws continuity_unavailable for a file of another format or of another program, Error if it cannot be opened
 */
export function openRecords(path: string, format: RecordFormat): Connection {
  closeSync(openSync(path, 'a', 0o600));
  const db = openDatabase(path, { timeout: WRITE_BUSY_MS });
  try {
    checkFormat(db, format);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // erased data is overwritten
    db.pragma('secure_delete = ON');
    db.pragma('foreign_keys = ON');
    makeTables(db, format);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens a file of records for reading; null if there is none yet.
 *
 * @throws continuity_unavailable for a file of another format, Error if it cannot be opened
 */
export function readRecords(path: string, format: RecordFormat): Connection | null {
  if (!existsSync(path)) return null;
  const db = openDatabase(path, { readonly: true, fileMustExist: true, timeout: READ_BUSY_MS });
  try {
    checkFormat(db, format);
    if (versionOf(db) === VERSION) return db;
    db.close();
    return null;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Refuses a file that is neither empty nor of the format. @throws continuity_unavailable */
export function checkFormat(db: Connection, { name, remedy, application }: RecordFormat): void {
  // of one instant: another process may be making the tables
  const found = db.transaction(() => ({
    version: versionOf(db),
    application: db.pragma('application_id', { simple: true }),
    isEmpty: db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0,
  }))();
  if (found.isEmpty && found.version === 0) return;
  const isOurs = found.application === application;
  if (isOurs && found.version === VERSION) return;
  const is = isOurs ? `of format ${found.version}, and this release reads ${VERSION}` : 'of another program';
  throw new VadeError('continuity_unavailable', `${basename(db.name)}, the file of the ${name}, is ${is}: ${remedy}`);
}

/** Makes the tables of an empty file. */
export function makeTables(db: Connection, { application, tables }: RecordFormat): void {
  changeOnce(
    db,
    () => versionOf(db) !== VERSION,
    () => {
      db.exec(tables);
      db.pragma(`application_id = ${application}`);
      db.pragma(`user_version = ${VERSION}`);
    },
  );
}

function versionOf(db: Connection): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/** Names the file at a path, which a restored backup is not; null if there is none. */
export function fileAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}
