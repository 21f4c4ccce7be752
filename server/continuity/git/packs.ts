import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { git } from './read-history.ts';
import type { StorePlace } from './repository.ts';

/** With more packs than this every reading of git becomes slow. */
const MANY_PACKS = 40;

/** More than all running streams keep: some are of processes that were killed. */
const TOO_MANY_PACKS = 400;

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
