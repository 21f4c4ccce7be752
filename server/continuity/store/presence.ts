import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { createMissing, openPrepared } from '../../../compiler/io/files/database-file.ts';
import { openDatabase } from '../../../compiler/io/files/sqlite.ts';

/** Processes that have a store open, of a whole machine. */
export interface Presence {
  /**
   * Runs work if this process is the only one that has the store open; nobody else can open it meanwhile.
   *
   * @returns whether it ran
   */
  readonly ifAlone: (work: () => void) => boolean;
  readonly end: () => void;
}

/** Maximum time that an opening waits for the one process that sweeps alone, in milliseconds. */
const OPENING_MS = 10_000;

/**
 * Is present until `end`, or until the process ends. Node has no shared file locks, but SQLite has: a read transaction
 * on an empty file.
 *
 * @throws Error if the file cannot be opened
 */
export function bePresent(path: string): Presence {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  createMissing(path, 0o600);
  let held = share(path);
  return {
    ifAlone: (work) => {
      held.close();
      const ran = alone(path, work);
      held = share(path);
      return ran;
    },
    end: () => void held.close(),
  };
}

function share(path: string): Connection {
  return openPrepared(path, { timeout: OPENING_MS }, (db) => {
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  });
}

function alone(path: string, work: () => void): boolean {
  const db = openDatabase(path, { timeout: 0 });
  try {
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
  try {
    work();
    return true;
  } finally {
    db.close();
  }
}
