import { existsSync, lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { VadeError } from '../../schema/errors.ts';
import { orNull } from '../../schema/or-null.ts';

/**
 * Refuses a path in a working tree of git if one of its folders is a symbolic link below the top: a branch may have
 * brought the link, to have a file written somewhere else. The home folder is no working tree, even if git keeps it:
 * links in it are its user's own.
 *
 * @throws output_failed
 */
export function assertOwnWay(path: string): void {
  let link: string | null = null;
  for (let at = dirname(resolve(path)); ; at = dirname(at)) {
    const isLink = isSymbolicLink(at);
    if (isTop(at)) {
      if (link !== null) throw refusal(path, link);
      if (!isLink) return;
    }
    if (isLink) link = at;
    if (dirname(at) === at) return;
  }
}

/** Whether a path is a symbolic link; false for a path below a file, where the write itself fails. */
function isSymbolicLink(path: string): boolean {
  return orNull(() => lstatSync(path).isSymbolicLink()) ?? false;
}

const isTop = (folder: string): boolean => existsSync(join(folder, '.git')) && folder !== homedir();

function refusal(path: string, link: string): VadeError {
  const message = `${path} was not written: ${link} is a symbolic link, which may lead out of the working tree`;
  return new VadeError('output_failed', message, { path, suggestion: `replace the link ${link} with a folder` });
}
