import { lstatSync, rmSync, truncateSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { createMissing } from './database-file.ts';
import { fileIdentity } from './file.ts';
import { takeNamedLock } from './lock-without-sqlite.ts';
import { isDamaged, isSqliteMissing, openDatabase } from './sqlite.ts';

/** Attempts, as another process may replace the file between opening and locking it. */
const TRIES = 100;

/** Databases that hold a lock: one that nothing refers to is closed by the garbage collector, and its lock is gone. */
const held = new Set<Database.Database>();

/**
 * Takes an exclusive lock; null if another process keeps it. Node has no file locks, but SQLite uses the kernel's
 * locks, here on an empty file. They work across containers that share a folder, and the kernel releases them when the
 * process ends. The content of the file has no meaning.
 *
 * @param waitMs most milliseconds to wait for each holder; the process does nothing else meanwhile
 * @returns releases the lock and removes the file
 * @throws Error if the file cannot be created
 */
export function takeLock(path: string, waitMs = 0): (() => void) | null {
  if (isSqliteMissing()) return takeNamedLock(path);
  for (let tries = 0; tries < TRIES; tries++) {
    makeEmpty(path);
    const before = fileIdentity(path);
    const db = tryLock(path, waitMs);
    if (db === null) return null;
    // the previous holder removed the file in between, so this lock is on a deleted file
    if (before !== null && before === identityUnder(db, path)) {
      held.add(db);
      return () => {
        giveBack(db, path);
        held.delete(db);
      };
    }
    db.close();
  }
  return null;
}

/** Creates the file if it is missing; removes anything else with its name, such as a folder, a pipe or a link. */
function makeEmpty(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) rmSync(path, { recursive: true });
  createMissing(path, 0o666);
}

/** Releases the lock. A file that cannot be removed locks nobody out, so it must not fail work that is done. */
function giveBack(db: Database.Database, path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // the next process locks the same file
  } finally {
    db.close();
  }
}

/** Like `fileIdentity`, but releases the lock if that fails. */
function identityUnder(db: Database.Database, path: string): string | null {
  try {
    return fileIdentity(path);
  } catch (error) {
    db.close();
    throw error;
  }
}

function tryLock(path: string, waitMs: number, isAgain = false): Database.Database | null {
  const db = openDatabase(path, { timeout: waitMs });
  try {
    // otherwise SQLite writes a journal file, which a killed process leaves behind
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    const code = String((error as { code?: unknown }).code);
    if (code.startsWith('SQLITE_BUSY')) return null;
    if (isAgain || !isDamaged(error)) throw error;
    // damaged, or from a version that wrote its process ID: truncate in place, so that locks of other processes stay
    // valid; this process has none, which would have been busy
    truncateSync(path);
    return tryLock(path, waitMs, true);
  }
}
