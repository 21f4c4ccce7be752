import { realpathSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { scanFolder, scanPath, type Scanned } from '../files/scan-folder.ts';
import { openGit } from './git.ts';
import { findRepository } from './repository.ts';

/**
 * The files and links of a working tree at these paths, and those below them that git tracks or would add: what it
 * ignores may be a folder of dependencies. Without git, all of them. Nothing is outside, or behind a link.
 *
 * @param top the folder that the paths begin at
 */
export async function filesAt(top: string, paths: readonly string[]): Promise<Scanned[]> {
  const real = realpathSync(top);
  const entries = paths
    .filter((path) => isWithin(path) && isBehindNoLink(real, path))
    .map((path) => ({ path, entry: scanPath(real, path) }));
  const folders = entries.flatMap(({ path, entry }) => (entry === 'folder' ? path : []));
  const below = folders.length === 0 ? [] : await filesBelow(real, folders);
  const all = [...entries.map(({ entry }) => entry), ...below];
  const found = all.flatMap((it) => (it === null || it === 'folder' ? [] : [[it.path, it] as const]));
  return [...new Map(found).values()];
}

/** Whether a path stays in the repository; untrusted. */
export const isWithin = (path: string) =>
  posix.normalize(path) === path && !path.startsWith('../') && !posix.isAbsolute(path);

function isBehindNoLink(top: string, path: string): boolean {
  const folder = dirname(join(top, path));
  return orNull(() => realpathSync(folder)) === folder;
}

async function filesBelow(top: string, folders: readonly string[]) {
  const place = await findRepository(top).catch(() => null);
  if (place === null || place.bare) return folders.flatMap((it) => scanFolder(top, it));
  const git = await openGit(place, { GIT_INDEX_FILE: join(place.folder, 'index') });
  const named = folders.map((it) => `${place.prefix}${it}`);
  const list = await git.text(['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...named]);
  // a slash ends the name of a repository in it
  const files = list.split('\0').filter((it) => it !== '' && !it.endsWith('/'));
  return files.map((it) => scanPath(top, it.slice(place.prefix.length)));
}
