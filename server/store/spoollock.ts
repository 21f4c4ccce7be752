import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Held as long as the process lives, or until released; a killed process holds nothing. */
export interface SpoolLock {
  readonly release: () => void;
  /** Releases it, and takes its file away. */
  readonly remove: () => void;
}

/**
 * Takes a name for this process alone; null where another has it. Node knows no file locks, SQLite does: its lock on
 * an empty file goes with the process, however that ends.
 *
 * @throws Error where the file cannot be made
 */
export function takeLock(path: string): SpoolLock | null {
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
