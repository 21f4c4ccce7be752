import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { openDatabaseFile, openPrepared, type DatabaseFile } from '../../../compiler/io/files/database-file.ts';
import { markKind } from '../../../compiler/io/files/database-kind.ts';
import { fileIdentity } from '../../../compiler/io/files/file.ts';
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
 * @throws continuity_unusable for a file of another format or of another program, Error if it cannot be opened
 */
export function openRecords(path: string, format: RecordFormat): Connection {
  return openDatabaseFile(path, {
    ...fileOf(format),
    timeout: WRITE_BUSY_MS,
    // erased data is overwritten
    pragmas: ['journal_mode = WAL', 'synchronous = FULL', 'secure_delete = ON', 'foreign_keys = ON'],
  });
}

/**
 * Opens a file of records for reading; null if there is none yet.
 *
 * @throws continuity_unusable for a file of another format, Error if it cannot be opened
 */
export function readRecords(path: string, format: RecordFormat): Connection | null {
  if (!existsSync(path)) return null;
  const options = { readonly: true, fileMustExist: true, timeout: READ_BUSY_MS };
  const db = openPrepared(path, options, (opened) => void isNewFile(opened, format));
  if (db.pragma('user_version', { simple: true }) === VERSION) return db;
  db.close();
  return null;
}

/** A file of the format, without what its writer wants of SQLite. */
export function fileOf(format: RecordFormat): Omit<DatabaseFile, 'timeout' | 'pragmas'> {
  return {
    isPrivate: true,
    isNew: (db) => isNewFile(db, format),
    tables: `${format.tables};\n${markKind({ application: format.application, version: VERSION })}`,
  };
}

/** Whether a file is empty. @throws continuity_unusable if it is of another format */
function isNewFile(db: Connection, { name, remedy, application }: RecordFormat): boolean {
  const number = (pragma: string) => db.pragma(pragma, { simple: true }) as number;
  // of one instant: another process may be making the tables
  const found = db.transaction(() => ({
    version: number('user_version'),
    application: number('application_id'),
    isEmpty: db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0,
  }))();
  if (found.isEmpty && found.version === 0) return true;
  const isOurs = found.application === application;
  if (isOurs && found.version === VERSION) return false;
  const is = isOurs ? `of format ${found.version}, and this release reads ${VERSION}` : 'of another program';
  throw new VadeError('continuity_unusable', `${basename(db.name)}, the file of the ${name}, is ${is}: ${remedy}`);
}

/** Answers whether the file at a path is still the one of now; a restored backup is another. */
export function isStillAt(path: string): () => boolean {
  const file = fileIdentity(path);
  return () => fileIdentity(path) === file;
}
