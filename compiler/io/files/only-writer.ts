import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { SCRATCH_PREFIX } from './durable.ts';
import { takeLock } from './lock.ts';
import { assertOwnWay } from './own-way.ts';

const LOCK = '.lock';

/** Most milliseconds to wait for another writer, which writes a few small files. */
const WAIT_MS = 10_000;

/** Lists the folders in which a writer may have left unfinished files. */
type Parts = (folder: string) => readonly string[];

const itself: Parts = (folder) => [folder];

/**
 * Writes to a folder while no other process does, after the files of killed writers there are removed: no living
 * process has an unfinished file in it then. The kernel releases the lock when the process ends, however it does.
 *
 * @throws file_locked, output_failed; what `work` throws
 */
export function asOnlyWriter<T>(folder: string, work: () => T, parts = itself): T {
  return locked(join(folder, LOCK), () => {
    for (const part of parts(folder)) removeScratch(part);
    return work();
  });
}

/**
 * The same for files whose folder has other files too.
 *
 * @param folders whether a missing folder is created
 * @throws file_locked, output_failed; what `work` throws
 */
export function asOnlyWriterOf<T>(files: readonly [string, ...string[]], work: () => T, folders = true): T {
  const alone = () => {
    for (const file of files) removeScratchOf(file);
    return work();
  };
  return locked(files[0] + LOCK, alone, folders);
}

/** Removes what killed writers left, unless another process writes there now: then the next one does. */
export function clearScratch(folder: string, parts = itself): void {
  if (!parts(folder).some((it) => scratchIn(it).length > 0)) return;
  const release = take(join(folder, LOCK), 0);
  if (release === null) return;
  try {
    for (const part of parts(folder)) removeScratch(part);
  } finally {
    release();
  }
}

/** Removes unfinished files and folders; only for who keeps all writers out. */
export function removeScratch(folder: string): void {
  for (const name of scratchIn(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Removes what was to become one file; only for who keeps its writers out. */
export function removeScratchOf(path: string): void {
  const folder = dirname(path);
  const prefix = `${SCRATCH_PREFIX}${basename(path)}-`;
  const names = scratchIn(folder).filter((it) => it.startsWith(prefix) && RANDOM.test(it.slice(prefix.length)));
  for (const name of names) rmSync(join(folder, name), { force: true });
}

/** End of the name of an unfinished file. */
const RANDOM = /^[0-9a-f]{12}$/;

function scratchIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((it) => it.startsWith(SCRATCH_PREFIX)) : [];
}

function locked<T>(lock: string, work: () => T, folders = true): T {
  const release = mustLock(lock, `another process holds ${lock}`, WAIT_MS, folders);
  try {
    return work();
  } finally {
    release();
  }
}

/**
 * Takes a lock; the kernel releases it when the process ends, however it does.
 *
 * @param busy the message if another process keeps it
 * @param folders whether its missing folders are created
 * @returns releases it
 * @throws file_locked, output_failed
 */
export function mustLock(path: string, busy: string, waitMs = 0, folders = true): () => void {
  const release = take(path, waitMs, folders);
  if (release === null) throw new VadeError('file_locked', busy);
  return release;
}

function take(lock: string, waitMs: number, folders = true): (() => void) | null {
  assertOwnWay(lock);
  try {
    if (folders) mkdirSync(dirname(lock), { recursive: true });
    return takeLock(lock, waitMs);
  } catch (error) {
    throw new VadeError('output_failed', `${lock} cannot be written: ${messageOf(error)}`);
  }
}
