import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { VadeError } from '../../schema/errors.ts';

/**
 * Opens a database. SQLite is loaded with the first one: most commands open none, and where it could not be compiled
 * they work without it.
 *
 * @throws sqlite_unavailable, and what SQLite throws
 */
export function openDatabase(path: string, options: Database.Options): Database.Database {
  if (isSqliteMissing()) throw sqliteUnavailable();
  return new (library())(path, options);
}

/** Whether SQLite refuses a file because its content is damaged, or that of no database. */
export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(NOTADB|CORRUPT)/.test(String((error as { readonly code?: unknown } | null)?.code));
}

const library = () => createRequire(import.meta.url)('better-sqlite3') as typeof Database;

let isMissing: boolean | null = null;

/** Whether SQLite is not installed, or was not compiled for this Node. */
export function isSqliteMissing(): boolean {
  isMissing ??= !canOpen();
  return isMissing;
}

/** The package loads its compiled part with the first database. */
function canOpen(): boolean {
  try {
    new (library())(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

/** Steps that install the library, for errors and for the log of a server. */
export const SQLITE_STEP =
  'install a C++ compiler, make and Python 3, then run `npm install --include=optional` and `npm rebuild better-sqlite3`';

/** The error of what keeps its data in SQLite. */
export function sqliteUnavailable(): VadeError {
  const message = 'SQLite is not available: better-sqlite3 is not installed, or not compiled for this Node';
  return new VadeError('sqlite_unavailable', `${message}; audit, tasks and continuity need it`, {
    suggestion: SQLITE_STEP,
  });
}
