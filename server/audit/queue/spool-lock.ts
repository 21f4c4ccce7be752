import { lstatSync, rmSync, truncateSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Held as long as the process lives, or until released; a killed process holds nothing. */
export interface SpoolLock {
  readonly release: () => void;
  /** Releases it, and takes its file away. */
  readonly remove: () => void;
}

/**
 * Takes a name for this process alone; null where another has it. Node knows no file locks, SQLite does: its lock on
 * an empty file goes with the process, however that ends. What stands in the file means nothing, so that a damaged one
 * is emptied: only one that nobody holds shows what is in it.
 *
 * @throws Error where the file cannot be made, or something else stands in its place
 */
export function takeLock(path: string): SpoolLock | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new Error(`${path} is not a regular file: remove it`);
  }
  try {
    return lockFile(path);
  } catch (error) {
    if (!DAMAGED.has((error as { code?: unknown }).code)) throw error;
    // the same file, not another one: who came first may have taken it by now
    truncateSync(path);
    return lockFile(path);
  }
}

const DAMAGED = new Set<unknown>(['SQLITE_NOTADB', 'SQLITE_CORRUPT']);

function lockFile(path: string): SpoolLock | null {
  const db = new Database(path, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
  const release = () => void db.close();
  return {
    release,
    remove: () => {
      rmSync(path, { force: true });
      release();
    },
  };
}
