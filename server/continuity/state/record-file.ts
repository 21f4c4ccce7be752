import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import Database, { type Database as Connection } from 'better-sqlite3';
import { changeOnce } from '../../../compiler/io/files/change-once.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';

/** The format of a file that nothing else can make again: its rows are the only ones. */
export interface RecordFormat {
  /** What is in it, in one word, for the log. */
  readonly name: string;
  /** `PRAGMA application_id`, so that no other file is taken for one. */
  readonly application: number;
  /** `PRAGMA user_version`; from 1. */
  readonly version: number;
  /** Makes its tables. */
  readonly tables: string;
  /** What brings a file of a version to the next one. */
  readonly upgrades: Readonly<Record<number, string>>;
}

/** How long a write waits for another process, in milliseconds; it holds up its thread meanwhile. */
const WRITE_BUSY_MS = 4000;

/** A reader waits this long for a process that recovers the log after a crash, in milliseconds. */
const READ_BUSY_MS = 1000;

/**
 * Opens a file of records for writing, and makes it if it is not there. A commit survives a loss of power. Other
 * processes may have it open.
 *
 * @throws continuity_unavailable for a file of a later format or of another program, Error if it cannot be opened
 */
export function openRecords(path: string, format: RecordFormat): Connection {
  closeSync(openSync(path, 'a', 0o600));
  const db = new Database(path, { timeout: WRITE_BUSY_MS });
  try {
    checkFormat(db, format);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // what is erased is overwritten
    db.pragma('secure_delete = ON');
    db.pragma('foreign_keys = ON');
    changeOnce(
      db,
      () => versionOf(db) !== format.version,
      () => {
        bringTo(db, format);
      },
    );
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
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: READ_BUSY_MS });
  try {
    checkFormat(db, format);
    if (versionOf(db) === format.version) return db;
    db.close();
    return null;
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkFormat(db: Connection, { name, application, version }: RecordFormat): void {
  const found = versionOf(db);
  if (found === 0 && isEmpty(db)) return;
  const isOurs = db.pragma('application_id', { simple: true }) === application;
  if (!isOurs) throw new VadeError('continuity_unavailable', `the file of the ${name} is of another program`);
  if (found > version)
    throw new VadeError('continuity_unavailable', `the ${name} are of format ${found}; this release reads ${version}`);
}

function isEmpty(db: Connection): boolean {
  return db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}

function bringTo(db: Connection, { application, version, tables, upgrades }: RecordFormat): void {
  const found = versionOf(db);
  if (found === 0) db.exec(tables);
  for (let at = found; at > 0 && at < version; at++) db.exec(upgrades[at] ?? '');
  db.pragma(`application_id = ${application}`);
  db.pragma(`user_version = ${version}`);
}

function versionOf(db: Connection): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/** Names the file at a path, which a restored backup is not; null if there is none. */
export function fileAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}
