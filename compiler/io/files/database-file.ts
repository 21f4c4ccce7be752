import { closeSync, existsSync, lstatSync, openSync } from 'node:fs';
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
  if (isPrivate) createMissing(path, 0o600);
  return openPrepared(path, { timeout }, (db) => {
    const isDue = isNew(db);
    for (const it of pragmas) db.pragma(it);
    // a file with tables is not locked: it would wait, perhaps in vain, for a process that writes without a pause
    if (isDue) db.transaction(() => isNew(db) && db.exec(tables)).immediate();
  });
}

/**
 * Creates an empty file if there is none. An existing one is left to SQLite: POSIX takes all locks of a process on a
 * file away when the process closes it anywhere, and SQLite does not notice. The next program that closes the database
 * believes that it is the last one, and deletes the write-ahead log of this process.
 *
 * @throws Error if it cannot be created
 */
export function createMissing(path: string, mode: number): void {
  try {
    closeSync(openSync(path, 'wx', mode));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // SQLite would create the target, with the mode of any other file
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() && !existsSync(path))
      throw new Error(`${path} is a link to a file that does not exist`, { cause: error });
  }
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
