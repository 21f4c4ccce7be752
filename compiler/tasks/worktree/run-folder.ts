import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeLock } from '../../io/files/lock.ts';
import { atExit } from '../../io/process/at-exit.ts';
import { endMarked } from '../../io/process/marked-processes.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';

/** A folder of one run, which nobody else can read and which goes with it. */
export interface RunFolder {
  /** Its last part is random, and marks the processes of the run. */
  readonly path: string;
  readonly remove: () => void;
}

/** Marks git as part of a run; it ends with none of the run's commands. */
export function gitMark(run: string): string {
  return `${run}-git`;
}

const PREFIX = 'run-';
const LOCK = '.lock';
const TRIES = 16;

/**
 * Makes a folder for one run, outside of every repository: what a check starts must not find one above it. A run that
 * was killed leaves its folder behind; the next run removes it, since nobody holds its lock any more.
 *
 * @param base where all runs of this user have their folders
 * @throws output_failed
 */
export function runFolder(base = join(tmpdir(), `vade-verify-${process.getuid?.() ?? 0}`)): RunFolder {
  try {
    const own = ownFolder(base);
    sweep(own);
    for (let tries = 0; tries < TRIES; tries++) {
      const path = join(own, PREFIX + randomBytes(8).toString('hex'));
      const release = takeLock(path + LOCK);
      // another run may look at this very moment whether the lock is held
      if (release === null) continue;
      mkdirSync(path, { mode: 0o700 });
      return { path, remove: ending(path, release) };
    }
    throw new Error('no lock can be taken');
  } catch (error) {
    throw new VadeError('output_failed', `${base} cannot be used: ${messageOf(error)}`);
  }
}

function ending(path: string, release: () => void): () => void {
  const end = () => {
    discard(path);
    release();
  };
  const forget = atExit(end);
  return () => {
    forget();
    end();
  };
}

/** Anybody may create names in the temporary folder: only one that is ours, and closed to others, is used. */
function ownFolder(base: string): string {
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const stat = lstatSync(base);
  const isOurs = process.getuid === undefined || stat.uid === process.getuid();
  if (!stat.isDirectory() || !isOurs || (stat.mode & 0o022) !== 0) throw new Error('it belongs to somebody else');
  return realpathSync(base);
}

/** Removes the folders of runs that have ended without doing so, and ends what they had started. */
function sweep(base: string): void {
  const names = readdirSync(base).filter((it) => it.startsWith(PREFIX));
  for (const name of new Set(names.map((it) => it.replace(LOCK, '')))) {
    const release = takeLock(join(base, name + LOCK));
    if (release === null) continue;
    // processes that a check of that run started are marked with the folder's name
    for (const it of [name, gitMark(name)]) endMarked(it);
    discard(join(base, name));
    release();
  }
}

/** Removes a folder; what a check left running may still write to it, then the next run removes the rest. */
function discard(path: string): void {
  for (const prepare of [() => undefined, openAll]) {
    try {
      prepare(path);
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
      return;
    } catch {
      // as said above
    }
  }
}

/** Lets its owner write to every folder: a test may close some, and only root would remove what is in them. */
function openAll(folder: string): void {
  chmodSync(folder, 0o700);
  for (const it of readdirSync(folder, { withFileTypes: true })) {
    if (it.isDirectory()) openAll(join(folder, it.name));
  }
}
