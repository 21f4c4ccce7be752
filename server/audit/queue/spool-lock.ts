import { lstatSync, rmSync, truncateSync } from 'node:fs';
import { openDatabase } from '../../../compiler/io/files/sqlite.ts';

/** Held until it is released or the process ends, even if it is killed. */
export interface SpoolLock {
  readonly release: () => void;
  /** Releases it and removes its file. */
  readonly remove: () => void;
}

/**
 * Locks a name for this process; null if another process holds it. Node has no file locks, but SQLite has: its lock on
 * an empty file ends with the process. The content of the file is not used, so a damaged file is emptied; damage shows
 * only while nobody holds the lock.
 *
 * @throws Error if the file cannot be created, or is not a regular file
 */
export function acquireLock(path: string): SpoolLock | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new Error(`${path} is not a regular file: delete it`);
  }
  try {
    return lockFile(path);
  } catch (error) {
    if (!DAMAGED.has((error as { code?: unknown }).code)) throw error;
    // truncated in place, not replaced, because another process may hold the lock by now
    truncateSync(path);
    return lockFile(path);
  }
}

const DAMAGED = new Set<unknown>(['SQLITE_NOTADB', 'SQLITE_CORRUPT']);

function lockFile(path: string): SpoolLock | null {
  const db = openDatabase(path, { timeout: 0 });
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
