import { lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { scratchFor, syncFolder, tooLarge, writeDurably } from './durable.ts';
import { readRegular } from './file.ts';

/** Far above any file of instructions; a larger one is not read into memory. */
export const MOST_BYTES = 4_194_304;

/**
 * A regular file of a repository; null if there is none. Untrusted tree: symbolic links are not followed.
 *
 * @param path relative to `repo`, without `..`
 * @throws output_failed if it is not a regular file, behind a symbolic link, or larger than `MOST_BYTES`
 */
export function readInside(repo: string, path: string): Buffer | null {
  const stat = lstatSync(join(repo, path), { throwIfNoEntry: false });
  if (!stat) return null;
  assertInside(repo, path);
  if (!stat.isFile()) throw refusal(path, 'it is not a regular file');
  if (stat.size > MOST_BYTES) throw refusal(path, `it has ${stat.size} bytes; at most ${MOST_BYTES} are read`);
  try {
    return readRegular(join(repo, path), MOST_BYTES, 'refuse');
  } catch (error) {
    throw refusal(path, messageOf(error));
  }
}

/**
 * Writes a file of a repository atomically, and creates its folders. Untrusted tree: nothing is written behind a
 * symbolic link, and a file that changed in the meantime is not overwritten.
 *
 * @param before the expected content of the file; null if it must not exist
 * @throws output_failed
 */
export function writeInside(repo: string, path: string, before: Buffer | null, after: Buffer): void {
  assertInside(repo, path);
  if (after.length > MOST_BYTES) throw refusal(path, `it ${tooLarge(after.length, MOST_BYTES)}`);
  const target = join(repo, path);
  const draft = scratchFor(target);
  try {
    mkdirSync(dirname(target), { recursive: true });
    assertInside(repo, path);
    const found = readInside(repo, path);
    if (found === null ? before !== null : before === null || !found.equals(before)) {
      throw refusal(path, 'it changed in the meantime');
    }
    writeDurably(draft, after, found === null ? 0o644 : lstatSync(target).mode & 0o777);
    renameSync(draft, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error instanceof VadeError ? error : refusal(path, messageOf(error));
  }
}

/**
 * Removes a file of a repository, and its folder if that is empty then. Untrusted tree: as above.
 *
 * @param before the expected content of the file
 * @throws output_failed
 */
export function removeInside(repo: string, path: string, before: Buffer): void {
  if (readInside(repo, path)?.equals(before) !== true) throw refusal(path, 'it changed in the meantime');
  try {
    rmSync(join(repo, path));
    const folder = join(repo, dirname(path));
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  } catch (error) {
    throw refusal(path, messageOf(error));
  }
}

/** Checks that no existing folder of the path is behind a symbolic link. @throws output_failed */
export function assertInside(repo: string, path: string): void {
  if (path.split('/').includes('..')) throw refusal(path, 'it leaves the repository');
  let folder = dirname(path);
  while (folder !== '.' && !lstatSync(join(repo, folder), { throwIfNoEntry: false })) folder = dirname(folder);
  let real: string;
  try {
    real = realpathSync(join(repo, folder));
  } catch {
    throw refusal(path, 'the path contains a broken symbolic link');
  }
  if (real !== join(realpathSync(repo), folder)) throw refusal(path, 'the path contains a symbolic link');
  if (!lstatSync(real).isDirectory()) throw refusal(path, `${folder} is not a folder`);
}

function refusal(path: string, why: string): VadeError {
  return new VadeError('output_failed', `${path} was not written: ${why}`);
}
