import { changedFiles, type ChangedFile } from '../git/read-history.ts';
import type { StorePlace } from '../git/repository.ts';
import { isStray, plainPath } from '../git/shards.ts';

/** Files of a store, at the paths of the specification. */
export interface StoredFiles {
  readonly files: readonly ChangedFile[];
  /** Paths of files that lie where shards are and in none of them, which nothing reads. */
  readonly strays: readonly string[];
}

/**
 * The files that differ between two commits; all files of the second without a first.
 *
 * @throws repository_unreadable, git_unavailable
 */
export async function storedFiles(place: StorePlace, from: string | null, to: string): Promise<StoredFiles> {
  const listed = await changedFiles(place, from, to);
  const files = listed.filter(({ path }) => !isStray(path)).map(({ path, blob }) => ({ path: plainPath(path), blob }));
  return { files, strays: listed.map(({ path }) => path).filter(isStray) };
}
