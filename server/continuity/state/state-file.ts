import { rmSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import type { Database as Connection } from 'better-sqlite3';
import { createMissing, openDatabaseFile } from '../../../compiler/io/files/database-file.ts';
import { fileIdentity } from '../../../compiler/io/files/file.ts';
import { isDamaged } from '../../../compiler/io/files/sqlite.ts';
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
   * @throws StateBusy, StateReplaced, and what the work throws
   */
  readonly alone: <T>(milliseconds: number, work: () => Promise<T>) => Promise<T>;
  /**
   * Removes a damaged file, as the only writer if its lock can still be taken.
   *
   * @throws StateBusy, StateReplaced
   */
  readonly discard: (milliseconds: number) => Promise<void>;
  readonly end: () => void;
}

/** Other processes had the state all the time. */
class StateBusy extends Error {
  override readonly name = 'StateBusy';
}

/** Another process has made the state again: what this one holds is a removed file, and so is its lock. */
export class StateReplaced extends Error {
  override readonly name = 'StateReplaced';
}

/** Between two attempts, in milliseconds; random, so that two processes do not always meet. */
const PAUSE_MS = 2;

/**
 * Opens the state of an owner, or makes an empty one, also in the place of a damaged one: git has what it had.
 *
 * @throws continuity_unusable for another format, Error if it cannot be opened
 */
export function openState(path: string): StateFile {
  const { file, db } = openSound(path);
  const turns = createTurns(`${path}.turn`);
  const begin = async (milliseconds: number): Promise<void> => {
    const until = performance.now() + milliseconds;
    await turns.yield(() => isFree(db));
    while (!tryBegin(db)) {
      if (performance.now() > until) throw new StateBusy('other processes write to this store');
      turns.ask();
      await after(PAUSE_MS * (0.5 + Math.random()));
    }
    if (fileIdentity(path) === file) return;
    db.exec('ROLLBACK');
    throw new StateReplaced('another process has made this state again');
  };
  const alone: StateFile['alone'] = async (milliseconds, work) => {
    await begin(milliseconds);
    try {
      const result = await work();
      db.exec('COMMIT');
      return result;
    } finally {
      if (db.inTransaction) db.exec('ROLLBACK');
    }
  };
  const discard: StateFile['discard'] = async (milliseconds) => {
    try {
      // nobody writes meanwhile; who waits for the lock finds another file in its place
      await alone(milliseconds, () => {
        removeState(path);
        return Promise.resolve();
      });
    } catch (error) {
      if (!isDamaged(error)) throw error;
      removeState(path);
    }
  };
  return { db, alone, discard, end: () => void db.close() };
}

/** @throws what opening throws, but for a damaged file, which is removed */
function openSound(path: string): { readonly file: string | null; readonly db: Connection } {
  const open = () => {
    createMissing(path, 0o600);
    // named before it is opened: if it is replaced in between, the first writing notices
    return { file: fileIdentity(path), db: openFile(path) };
  };
  try {
    return open();
  } catch (error) {
    if (!isDamaged(error)) throw error;
    removeState(path);
    return open();
  }
}

/** Removes a state with its log. A process that has it open notices before it writes again. */
export function removeState(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}

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
