import { rmSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import type { Database as Connection } from 'better-sqlite3';
import { openDatabaseFile } from '../../../compiler/io/files/database-file.ts';
import { inTurn } from '../../../compiler/schema/in-turn.ts';
import { fileOf } from './record-file.ts';
import { STATE } from './state-schema.ts';
import { createTurns } from './turns.ts';

/** The state of one owner: who may write now, and what git has. */
export interface StateFile {
  readonly db: Connection;
  /**
   * Runs work as the only writer of all processes. What it changed here is kept if it resolves, and forgotten if it
   * throws.
   *
   * @param milliseconds how long to wait for other writers
   * @throws StateBusy, and what the work throws
   */
  readonly alone: <T>(milliseconds: number, work: () => Promise<T>) => Promise<T>;
  readonly end: () => void;
}

/** Other processes had the state all the time. */
export class StateBusy extends Error {
  override readonly name = 'StateBusy';
}

/** Between two attempts, in milliseconds; random, so that two processes do not always meet. */
const PAUSE_MS = 2;

/**
 * Opens the state of an owner, or makes an empty one.
 *
 * @throws continuity_unavailable for another format, Error if it cannot be opened
 */
export function openState(path: string): StateFile {
  const db = openFile(path);
  const turns = createTurns(`${path}.turn`);
  const begin = async (milliseconds: number): Promise<void> => {
    const until = performance.now() + milliseconds;
    await turns.yield(() => isFree(db));
    while (!tryBegin(db)) {
      if (performance.now() > until) throw new StateBusy('other processes write to this store');
      turns.ask();
      await after(PAUSE_MS * (0.5 + Math.random()));
    }
  };
  const aloneNow: StateFile['alone'] = async (milliseconds, work) => {
    await begin(milliseconds);
    try {
      const result = await work();
      db.exec('COMMIT');
      return result;
    } finally {
      if (db.inTransaction) db.exec('ROLLBACK');
    }
  };
  // a connection has one transaction: its users take turns too
  const oneAtATime = inTurn();
  const alone: StateFile['alone'] = (milliseconds, work) => oneAtATime(() => aloneNow(milliseconds, work));
  return { db, alone, end: () => void db.close() };
}

/**
 * Removes a damaged state, which is made again from git. Only for a process that has the store alone: the lock of a
 * removed file keeps nobody out.
 *
 * @throws Error if it cannot be opened for another reason
 */
export function removeDamaged(path: string): void {
  try {
    openFile(path).close();
  } catch (error) {
    if (!DAMAGED.has((error as { code?: unknown }).code)) throw error;
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  }
}

const DAMAGED = new Set<unknown>(['SQLITE_NOTADB', 'SQLITE_CORRUPT']);

/** At the first opening another process may be creating the tables. */
const FIRST_BUSY_MS = 5000;

/** Pages of 4 KiB between two checkpoints of the write-ahead log; few, because each waits for the disk. */
const LOG_PAGES = 4000;

function openFile(path: string): Connection {
  const db = openDatabaseFile(path, {
    ...fileOf(STATE),
    timeout: FIRST_BUSY_MS,
    // a loss of power may lose the last commits, which git has
    pragmas: ['journal_mode = WAL', 'synchronous = NORMAL', `wal_autocheckpoint = ${LOG_PAGES}`],
  });
  db.pragma('busy_timeout = 0');
  return db;
}

function tryBegin(db: Connection): boolean {
  try {
    db.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

/** Whether no process has the state; it does not keep it. */
function isFree(db: Connection): boolean {
  const isMine = tryBegin(db);
  if (isMine) db.exec('ROLLBACK');
  return isMine;
}
