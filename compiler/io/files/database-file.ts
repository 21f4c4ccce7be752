import { closeSync, openSync } from 'node:fs';
import type { Database, Options } from 'better-sqlite3';
import { openDatabase } from './sqlite.ts';

/** A file that a database is kept in. */
export interface DatabaseFile {
  /** Whether only its owner may read a new one. */
  readonly isPrivate: boolean;
  /** Most milliseconds to wait for another process, such as one that creates the tables. */
  readonly timeout: number;
  /** Whether it has no tables yet. @throws Error for another database, which is not changed */
  readonly isNew: (db: Database) => boolean;
  readonly pragmas: readonly string[];
  /** The SQL that creates the tables, and marks the file as what it is. */
  readonly tables: string;
}

/** Opens a database for writing, and creates the tables of a new one. @throws what `isNew` throws, Error */
export function openDatabaseFile(path: string, { isPrivate, timeout, isNew, pragmas, tables }: DatabaseFile): Database {
  if (isPrivate) closeSync(openSync(path, 'a', 0o600));
  return openPrepared(path, { timeout }, (db) => {
    const isDue = isNew(db);
    for (const it of pragmas) db.pragma(it);
    // a file with tables is not locked: it would wait, perhaps in vain, for a process that writes without a pause
    if (isDue) db.transaction(() => isNew(db) && db.exec(tables)).immediate();
  });
}

/** Opens a database, and closes it again if `prepare` throws. @throws what it throws, Error */
export function openPrepared(path: string, options: Options, prepare: (db: Database) => void): Database {
  const db = openDatabase(path, options);
  try {
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
