import { closeSync, lstatSync, openSync, rmSync, statSync, truncateSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Another file may take the name while this one is waited for: then it is tried again, so often. */
const TRIES = 100;

/**
 * Takes a lock for this process alone; null where another process has it. Node knows no file locks, SQLite does: the
 * kernel's own lock on an empty file. It holds between containers that share a folder, whatever their process ids, and
 * goes with its process, however that ends. What the file holds says nothing.
 *
 * @returns what gives it back and takes the file away
 * @throws Error where the file cannot be made
 */
export function takeLock(path: string): (() => void) | null {
  for (let tries = 0; tries < TRIES; tries++) {
    makeEmpty(path);
    const before = identity(path);
    const db = tryLock(path);
    if (db === null) return null;
    // whoever held it took the file away in between: this lock is on a file without a name
    if (before !== null && before === identity(path)) {
      return () => {
        rmSync(path, { force: true });
        db.close();
      };
    }
    db.close();
  }
  return null;
}

/** Makes the file where there is none. Whatever else has its name gives way: a folder, a pipe, a link. */
function makeEmpty(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) rmSync(path, { recursive: true });
  try {
    closeSync(openSync(path, 'ax', 0o666));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Numbers of files are given again: the time at which it was made tells two of them apart. */
function identity(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.dev} ${stat.ino} ${stat.birthtimeNs}` : null;
}

function tryLock(path: string, isAgain = false): Database.Database | null {
  const db = new Database(path, { timeout: 0 });
  try {
    // without it a journal lies beside the file, and a killed process leaves it there
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    const code = String((error as { code?: unknown }).code);
    if (code.startsWith('SQLITE_BUSY')) return null;
    if (isAgain || !code.startsWith('SQLITE_NOTADB')) throw error;
    // damaged, or of a version that wrote its process id: emptied in place, so that a lock on it stays one
    truncateSync(path);
    return tryLock(path, true);
  }
}
