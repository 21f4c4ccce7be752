import { join } from 'node:path';
import { openGit } from './git.ts';
import type { Repository } from './repository.ts';
import { withoutIgnored } from './uncommitted-files.ts';

/** Why files of the working tree could reach a commit by accident; null if they cannot. */
export type Exposure = 'not_ignored' | 'tracked' | null;

/** Whether git ignores files, and has none of their folder in its index. Paths are relative to the top. */
export async function exposureOf(repository: Repository, folder: string, paths: readonly string[]): Promise<Exposure> {
  const git = await openGit(repository, { GIT_INDEX_FILE: join(repository.folder, 'index') });
  if ((await git.text(['ls-files', '-z', '--', folder])) !== '') return 'tracked';
  return (await withoutIgnored(git, paths)).length > 0 ? 'not_ignored' : null;
}
