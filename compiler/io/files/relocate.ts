import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { scratchFor, syncFolder, writeDurably } from './durable.ts';

/**
 * A regular file of a repository; null where there is none. Untrusted tree: no symbolic link is followed.
 *
 * @param path relative to `repo`, without dots that climb
 * @throws output_failed for what is no regular file, or lies behind a symbolic link
 */
export function readInside(repo: string, path: string): Buffer | null {
  const stat = lstatSync(join(repo, path), { throwIfNoEntry: false });
  if (!stat) return null;
  assertInside(repo, path);
  if (!stat.isFile()) throw refusal(path, 'it is not a regular file');
  return readFileSync(join(repo, path));
}

/**
 * Writes a file of a repository whole, or leaves what was there; its folders are made. Untrusted tree: nothing is
 * written behind a symbolic link, and a file that changed in the meantime is left alone.
 *
 * @param before what the file has to hold until then; null where it must not be there
 * @throws output_failed
 */
export function writeInside(repo: string, path: string, before: Buffer | null, after: Buffer): void {
  assertInside(repo, path);
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

/** The nearest folder on the way that exists is where it says it is. */
function assertInside(repo: string, path: string): void {
  if (path.split('/').includes('..')) throw refusal(path, 'it leaves the repository');
  let folder = dirname(path);
  while (folder !== '.' && !lstatSync(join(repo, folder), { throwIfNoEntry: false })) folder = dirname(folder);
  let real: string;
  try {
    real = realpathSync(join(repo, folder));
  } catch {
    throw refusal(path, 'a symbolic link leads nowhere');
  }
  if (real !== join(realpathSync(repo), folder)) throw refusal(path, 'a symbolic link leads there');
  if (!lstatSync(real).isDirectory()) throw refusal(path, `${folder} is no folder`);
}

function refusal(path: string, why: string): VadeError {
  return new VadeError('output_failed', `${path} was not written: ${why}`);
}
