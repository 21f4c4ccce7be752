import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { BRANCH } from './commit-stream.ts';
import { git } from './read-history.ts';
import type { StorePlace } from './repository.ts';

/** With more packs than this every reading of git becomes slow. */
const MANY_PACKS = 40;

/** More than all running streams keep: some are of processes that were killed. */
const TOO_MANY_PACKS = 400;

/** What a git, or a writer of HEAD and the configuration, that was killed leaves behind. */
const LEFTOVERS = {
  '': /^(?:fast_import_crash_\d+|\.tmp-.*)$/,
  'objects/pack': /^(?:tmp_\w+|pack-[0-9a-f]{40}\.keep|\.tmp-.*)$/,
  'refs/heads': /\.lock$/,
};

/** Removes what killed processes left; only for a process that has the repository alone. */
export function sweep({ folder }: Pick<StorePlace, 'folder'>): void {
  for (const [place, pattern] of Object.entries(LEFTOVERS)) {
    const names = readdirSync(join(folder, place)).filter((name) => pattern.test(name));
    for (const name of names) rmSync(join(folder, place, name), { force: true });
  }
}

/** A git that moves the branch holds its lock for milliseconds; who holds it longer was killed. */
const REF_LOCK_MS = 1000;
const LOOK_MS = 20;

/** Waits for the lock of the branch, and removes one that nobody holds any more. */
export async function freeBranch({ folder }: Pick<StorePlace, 'folder'>): Promise<void> {
  const path = join(folder, `${BRANCH}.lock`);
  const first = inodeOf(path);
  for (let waited = 0; first !== null && inodeOf(path) === first; waited += LOOK_MS) {
    if (waited >= REF_LOCK_MS) rmSync(path, { force: true });
    else await after(LOOK_MS);
  }
}

function inodeOf(path: string): bigint | null {
  return statSync(path, { throwIfNoEntry: false, bigint: true })?.ino ?? null;
}

/** All packs of a repository. */
export function countPacks({ folder }: Pick<StorePlace, 'folder'>): number {
  return readdirSync(join(folder, 'objects/pack')).filter((it) => it.endsWith('.pack')).length;
}

/** Whether there are so many packs that they should be joined. */
export function hasManyPacks({ folder }: Pick<StorePlace, 'folder'>): boolean {
  const names = readdirSync(join(folder, 'objects/pack'));
  const kept = names.filter((it) => it.endsWith('.keep')).length;
  const all = names.filter((it) => it.endsWith('.pack')).length;
  return all - kept > MANY_PACKS || all > TOO_MANY_PACKS;
}

/**
 * Joins small packs. Those that a stream keeps stay, unless killed processes have left too many: a running stream that
 * misses a pack ends, and the next one finds every object in the joined pack.
 *
 * @throws repository_unreadable, git_unavailable
 */
export async function joinPacks(place: StorePlace): Promise<void> {
  const packs = join(place.folder, 'objects/pack');
  const names = readdirSync(packs);
  if (names.filter((it) => it.endsWith('.pack')).length > TOO_MANY_PACKS)
    for (const name of names.filter((it) => it.endsWith('.keep'))) rmSync(join(packs, name), { force: true });
  await git(place, ['-c', 'core.fsync=all', 'repack', '-d', '-q', '--geometric=2', '--write-midx']);
}
