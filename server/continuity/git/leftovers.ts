import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { BRANCH } from './commit-stream.ts';
import type { StorePlace } from './repository.ts';
import { REWRITTEN_REF } from './rewrite-history.ts';

type StoreFolder = Pick<StorePlace, 'folder'>;

/** A git that moves a branch holds its locks for milliseconds; one that holds them longer was killed. */
const REF_LOCK_MS = 1000;

/** Longer than the index of millions of objects takes. */
const INDEX_LOCK_MS = 2000;

/**
 * The locks of a git that moves a branch, deletes one, or joins packs, and how long a living git may hold each. HEAD is
 * locked too whenever the branch that it names is moved.
 */
const LOCKS = {
  'HEAD.lock': REF_LOCK_MS,
  'packed-refs.lock': REF_LOCK_MS,
  [`${BRANCH}.lock`]: REF_LOCK_MS,
  [`${REWRITTEN_REF}.lock`]: REF_LOCK_MS,
  'objects/pack/multi-pack-index.lock': INDEX_LOCK_MS,
} as const;

/** Files that a killed git, or a killed writer of HEAD and the configuration, leaves behind besides locks. */
const UNFINISHED = {
  '': /^(?:fast_import_crash_\d+|\.tmp-.*)$/,
  'objects/pack': /^(?:tmp_\w+|pack-[0-9a-f]{40}\.keep|\.tmp-.*)$/,
} as const;

/** Removes the files that killed processes left; only for a process that has the repository alone. */
export function sweep({ folder }: StoreFolder): void {
  const unfinished = Object.entries(UNFINISHED).flatMap(([place, pattern]) =>
    readdirSync(join(folder, place)).flatMap((name) => (pattern.test(name) ? [join(place, name)] : [])),
  );
  for (const path of [...unfinished, ...Object.keys(LOCKS)]) rmSync(join(folder, path), { force: true });
}

/**
 * Waits for the locks of a git whose server was killed, and removes those that no process holds any longer: one that
 * stays would refuse every later change of the store. Only for the one writer of all processes.
 */
export async function freeLocks({ folder }: StoreFolder): Promise<void> {
  await Promise.all(Object.entries(LOCKS).map(([name, milliseconds]) => freeLock(join(folder, name), milliseconds)));
}

const LOOK_MS = 20;

async function freeLock(path: string, milliseconds: number): Promise<void> {
  const first = inodeOf(path);
  for (let waited = 0; first !== null && inodeOf(path) === first; waited += LOOK_MS) {
    if (waited >= milliseconds) rmSync(path, { force: true });
    else await after(LOOK_MS);
  }
}

function inodeOf(path: string): bigint | null {
  return statSync(path, { throwIfNoEntry: false, bigint: true })?.ino ?? null;
}
