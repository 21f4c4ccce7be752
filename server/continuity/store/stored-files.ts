import { changedFiles, readBlobs, type ChangedFile } from '../git/read-history.ts';
import type { StorePlace } from '../git/repository.ts';
import { isStray, plainPath } from '../git/shards.ts';
import { FORMAT_PATH, hasShards } from '../state/store-format.ts';

/**
 * All files of a commit, at the paths of the specification, whatever format the store had then.
 *
 * @throws repository_unreadable, git_unavailable
 */
export async function allFiles(place: StorePlace, commit: string): Promise<ChangedFile[]> {
  return (await filesAndStrays(place, commit)).files;
}

/** The same, and the paths of files that lie where shards are and in none of them, which nothing reads. */
export async function filesAndStrays(
  place: StorePlace,
  commit: string,
): Promise<{ readonly files: ChangedFile[]; readonly strays: readonly string[] }> {
  const listed = await changedFiles(place, null, commit);
  const format = listed.find(({ path }) => path === FORMAT_PATH)?.blob ?? null;
  const bytes = format === null ? null : ((await readBlobs(place, [format])).get(format) ?? null);
  const areSharded = hasShards(bytes);
  const strays = areSharded ? listed.map(({ path }) => path).filter(isStray) : [];
  return { files: atPlainPaths(listed, areSharded), strays };
}

/**
 * What differs between two commits, likewise; null if the second may have another format, so that all has to be read.
 *
 * @param format the file that names the format of the first
 * @throws repository_unreadable, git_unavailable
 */
export async function filesSince(
  place: StorePlace,
  from: string,
  to: string,
  format: Buffer | null,
): Promise<ChangedFile[] | null> {
  const changed = await changedFiles(place, from, to);
  return changed.some(({ path }) => path === FORMAT_PATH) ? null : atPlainPaths(changed, hasShards(format));
}

function atPlainPaths(files: readonly ChangedFile[], areSharded: boolean): ChangedFile[] {
  if (!areSharded) return [...files];
  return files.filter(({ path }) => !isStray(path)).map(({ path, blob }) => ({ path: plainPath(path), blob }));
}
