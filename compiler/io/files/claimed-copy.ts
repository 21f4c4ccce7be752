import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SCRATCH_PREFIX, scratchFor } from './durable.ts';
import { takeLock } from './lock.ts';

/** A name for a copy that is being made. */
export interface ClaimedCopy {
  readonly path: string;
  /** Removes the copy, unless it has got its name. */
  readonly end: () => void;
}

const LOCK = '.lock';
const TRIES = 16;

/** Suffixes of a database and of the files that SQLite puts beside it. */
const BESIDE = ['', '-wal', '-shm', '-journal'];

/**
 * Claims a name beside `out` for a copy, which may take long and has the content of the original. Copies that killed
 * processes left in that folder are removed, since nobody holds their locks.
 *
 * @throws Error if the folder cannot be written
 */
export function claimCopy(out: string): ClaimedCopy {
  removeLeft(dirname(out));
  for (let tries = 0; tries < TRIES; tries++) {
    const path = scratchFor(out);
    const release = takeLock(path + LOCK);
    // another process may look at this very moment whether the lock is held
    if (release === null) continue;
    const end = () => {
      discard(path);
      release();
    };
    return { path, end };
  }
  throw new Error('no lock can be taken');
}

function removeLeft(folder: string): void {
  const locks = readdirSync(folder).filter((it) => it.startsWith(SCRATCH_PREFIX) && it.endsWith(LOCK));
  for (const lock of locks) {
    const release = takeLock(join(folder, lock));
    if (release === null) continue;
    discard(join(folder, lock.slice(0, -LOCK.length)));
    release();
  }
}

function discard(path: string): void {
  for (const end of BESIDE) rmSync(path + end, { recursive: true, force: true });
}
