import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { isInside } from './git-process.ts';
import { openGit } from './git.ts';
import { findRepository, type Repository } from './repository.ts';

/** A path without links in its folders as far as `from`, which is in the repository to ask. */
interface Way {
  readonly from: string;
  readonly path: string;
}

/** The question of one call of git. */
interface PathsOfTop {
  readonly place: Repository;
  readonly paths: readonly string[];
}

/**
 * Finds the files that git tracks among the given ones and in the given folders: they came with a clone or a branch. A
 * link that git tracks on the way counts for everything behind it.
 *
 * @param cwd the folder that relative paths begin at
 * @returns names as git has them, relative to the top of their repository
 * @throws repository_refused
 */
export async function trackedAmong(cwd: string, paths: readonly string[]): Promise<string[]> {
  const ways = paths.flatMap((path) => waysTo(cwd, resolve(cwd, path)));
  const folders = [...new Set(ways.map(({ from }) => from))];
  const byTop = new Map<string, PathsOfTop>();
  for (const from of folders) {
    const place = await findRepository(from);
    if (place === null || place.bare) continue;
    const own = ways.filter((it) => it.from === from && isInside(it.path, place.top)).map(({ path }) => path);
    const known = byTop.get(place.top)?.paths ?? [];
    if (own.length > 0) byTop.set(place.top, { place, paths: [...known, ...own] });
  }
  const found = await Promise.all([...byTop.values()].map(trackedIn));
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

async function trackedIn({ place, paths }: PathsOfTop): Promise<string[]> {
  const git = await openGit(place, { GIT_INDEX_FILE: join(place.folder, 'index'), GIT_LITERAL_PATHSPECS: '0' });
  const names = [...new Set(paths.flatMap((path) => [path, ...linksTo(path, place.top)]))].map((path) =>
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
