import { realpathSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { scanFolder, scanPath, type Scanned } from '../files/scan-folder.ts';
import { openGit } from './git.ts';
import { findRepository } from './repository.ts';

/**
 * The files and links of a working tree at and below paths. Nothing is outside, or behind a link.
 *
 * @param top the folder that the paths begin at
 * @param ignored files and folders that are left out: one may be a folder of dependencies
 */
export function filesAt(top: string, paths: readonly string[], ignored: ReadonlySet<string>): Scanned[] {
  const real = realpathSync(top);
  const inside = paths.filter((path) => isWithin(path) && isBehindNoLink(real, path));
  const found = inside.flatMap((path) => scanFolder(real, path, ignored));
  return [...new Map(found.map((it) => [it.path, it])).values()];
}

/** Whether a path stays in the repository; untrusted. */
export const isWithin = (path: string) =>
  posix.normalize(path) === path && !path.startsWith('../') && !posix.isAbsolute(path);

function isBehindNoLink(top: string, path: string): boolean {
  const folder = dirname(join(top, path));
  return orNull(() => realpathSync(folder)) === folder;
}

/** The folders among paths, and the files and folders below them, that git ignores and tracks nothing of. */
export async function ignoredBelow(top: string, paths: readonly string[]): Promise<string[]> {
  const folders = paths.filter((it) => isWithin(it) && scanPath(top, it) === 'folder');
  const place = folders.length === 0 ? null : await findRepository(top).catch(() => null);
  if (place === null || place.bare) return [];
  const git = await openGit(place, { GIT_INDEX_FILE: join(place.folder, 'index') });
  const named = folders.map((it) => `${place.prefix}${it}/`);
  const asked = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory', '--', ...named];
  const list = (await git.text(asked)).split('\0').filter((it) => it !== '');
  const below = list.map((it) => it.slice(place.prefix.length).replace(/\/$/, ''));
  return [...below, ...folders.filter((_, at) => list.some((it) => named[at]?.startsWith(it)))];
}
