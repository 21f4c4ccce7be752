import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUBMODULE_MODE, SYMLINK_MODE, type TreeFile } from '../../schema/source/sources.ts';
import { blobIdLike } from '../../trust/canonical.ts';
import type { Git } from './git.ts';

/**
 * How many files of a folder of the working tree are not in the last commit as they are: changed, missing, and new ones
 * that are not ignored. `git status` would run filters and monitors, and read the configuration of submodules; this
 * compares the files instead. Git is only asked which of the new files are ignored.
 *
 * @param top the top of the working tree
 * @param tree the folder's files in the last commit
 */
export async function countUncommitted(
  git: Git,
  top: string,
  folder: string,
  tree: readonly TreeFile[],
): Promise<number> {
  if (!existsSync(join(top, folder))) return 0;
  const changed = tree.filter((file) => !isSame(join(top, file.path), file)).length;
  const known = new Set(tree.map(({ path }) => path.normalize('NFC')));
  const others = walk(top, folder).filter((path) => !known.has(path.normalize('NFC')));
  return changed + (await withoutIgnored(git, others)).length;
}

/** The files, without those that git ignores; it is not asked about none. */
export async function withoutIgnored(git: Git, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  // `./` because a leading colon is special in pathspecs
  const list = paths.map((path) => `./${path}\0`).join('');
  const ignored = new Set((await git.text(['check-ignore', '--no-index', '--stdin', '-z'], list)).split('\0'));
  return paths.filter((path) => !ignored.has(`./${path}`));
}

/** Files and links; a nested repository is one entry. */
function walk(top: string, path: string): string[] {
  const place = join(top, path);
  if (!lstatSync(place).isDirectory() || existsSync(join(place, '.git'))) return [path];
  return readdirSync(place).flatMap((name) => walk(top, `${path}/${name}`));
}

/** Compares a file with its blob; line ends that git wrote as CR LF are not a change. */
function isSame(place: string, { mode, blob, size }: TreeFile): boolean {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (mode === SUBMODULE_MODE) return stat?.isDirectory() === true;
  if (mode === SYMLINK_MODE) return stat?.isSymbolicLink() === true;
  // CR LF at most doubles the length of a file
  if (stat?.isFile() !== true || stat.size < size || stat.size > 2 * size) return false;
  const bytes = readFileSync(place);
  return blobIdLike(bytes, blob) === blob || blobIdLike(withoutReturns(bytes), blob) === blob;
}

function withoutReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}
