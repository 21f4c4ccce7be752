import { lstatSync } from 'node:fs';
import { takeLock } from '../../../compiler/io/files/lock.ts';
import { isSqliteMissing, sqliteUnavailable } from '../../../compiler/io/files/sqlite.ts';

/**
 * Locks a name until it is released or this process ends, even if it is killed; null if another process holds it.
 *
 * @returns releases the lock and removes its file
 * @throws Error if the file cannot be created, or is not a regular file; sqlite_unavailable
 */
export function acquireLock(path: string): (() => void) | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new Error(`${path} is not a regular file: delete it`);
  }
  // a lock without SQLite does not work across containers that share the folder
  if (isSqliteMissing()) throw sqliteUnavailable();
  return takeLock(path);
}
