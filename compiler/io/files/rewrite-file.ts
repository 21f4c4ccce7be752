import { lstatSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { scratchFor, syncFolder, writeDurably } from './durable.ts';

/**
 * Replaces a file with its fixed version. Untrusted tree: symbolic links are not followed, nothing outside `folder` is
 * written, and a file that changed in the meantime is not overwritten. Other hard links keep the old content.
 *
 * @param file relative to `repo`
 * @throws output_failed
 */
export function rewriteFile(repo: string, folder: string, file: string, before: Buffer, after: Buffer): void {
  const path = join(repo, file);
  const refuse = (why: string) => new VadeError('output_failed', `${file} was not fixed: ${why}`);
  const inside = file.startsWith(`${folder}/`) && !file.split('/').includes('..');
  if (!inside) throw refuse('it is outside the sources');
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw refuse('it is not a file');
  if (realpathSync(dirname(path)) !== dirname(join(realpathSync(repo), file)))
    throw refuse('the path contains a symbolic link');
  if (!readFileSync(path).equals(before)) throw refuse('it changed in the meantime');
  const draft = scratchFor(path);
  try {
    writeDurably(draft, after, stat.mode & 0o777);
    renameSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(draft, { force: true });
    throw refuse(messageOf(error));
  }
}
