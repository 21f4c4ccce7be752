import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { isInside } from './git-process.ts';
import { openGit } from './git.ts';
import { findRepository } from './repository.ts';

/** A path without links in its folders as far as `from`, which is in the repository to ask. */
interface Way {
  readonly from: string;
  readonly path: string;
}

/**
 * Finds the files that git tracks among the given ones, and among all in the given folders: it came with a clone or a branch. A link that
 * git tracks on the way counts for everything behind it.
 *
 * @param cwd the folder that relative paths begin at
 * @returns names as git has them, relative to the top of their repository
 * @throws repository_refused
 */
export async function trackedAmong(cwd: string, paths: readonly string[]): Promise<string[]> {
  const ways = paths.flatMap((path) => waysTo(cwd, resolve(cwd, path)));
  const byFolder = new Map<string, string[]>();
  for (const { from, path } of ways) byFolder.set(from, [...(byFolder.get(from) ?? []), path]);
  const found = await Promise.all([...byFolder].map(([from, paths]) => trackedFrom(from, paths)));
  return [...new Set(found.flat())].sort();
}

/** The path as given, and its target, which may be in a repository of its own; none for a path that does not exist. */
function waysTo(cwd: string, path: string): Way[] {
  if (!lstatSync(path, { throwIfNoEntry: false })) return [];
  const folder = orNull(() => realpathSync(dirname(path)));
  const led = folder === null ? [] : [{ from: folder, path: join(folder, basename(path)) }];
  const inside = orNull(() => realpathSync(path));
  if (inside !== null && lstatSync(inside).isDirectory()) led.push({ from: inside, path: inside });
  if (!isInside(path, cwd)) return led;
  const from = realpathSync(cwd);
  const given = { from, path: join(from, relative(cwd, path)) };
  return led.some((it) => it.path === given.path && it.from === given.from) ? led : [given, ...led];
}

async function trackedFrom(folder: string, paths: readonly string[]): Promise<string[]> {
  const place = await findRepository(folder);
  const own = place === null || place.bare ? [] : paths.filter((path) => isInside(path, place.top));
  if (place === null || own.length === 0) return [];
  const git = await openGit(place, { GIT_INDEX_FILE: join(place.folder, 'index'), GIT_LITERAL_PATHSPECS: '0' });
  const names = [...new Set(own.flatMap((path) => [path, ...linksTo(path, place.top)]))].map((path) =>
    relative(place.top, path).split(sep).join('/'),
  );
  // where names differ by case alone, a file system may take one for the other
  const specs = names.map((name) => (name === '' ? ':(top)' : `:(top,icase,literal)${name}`));
  return (await git.text(['ls-files', '-z', '--', ...specs])).split('\0').filter((it) => it !== '');
}

/** The links among the folders of a path, below the top. */
function linksTo(path: string, top: string): string[] {
  const folder = dirname(path);
  if (folder === top || !isInside(folder, top)) return [];
  const isLink = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return [...(isLink ? [folder] : []), ...linksTo(folder, top)];
}
