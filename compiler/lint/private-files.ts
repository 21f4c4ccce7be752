import { posix } from 'node:path';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import { PRIVATE_FILES, PRIVATE_FOLDER } from '../schema/source/private-files.ts';

/** The private files and folders beside a folder of sources, whose paths begin at the top of the repository. */
export function privateBeside(folder: string): string[] {
  return [PRIVATE_FOLDER, ...PRIVATE_FILES].map((it) => posix.join(posix.dirname(folder), it));
}

/** Reports private files that git tracks. @param tracked what git has of `privateBeside` */
export function findCommitted(tracked: readonly string[]): Diagnostic[] {
  const found = tracked.filter((it) => posix.basename(it) !== '.gitignore');
  return found.map((file) =>
    diagnostic(
      'private_file_committed',
      file,
      'git tracks this private file',
      'run git rm --cached on it, delete it and make a new one; what was pushed is no longer secret',
    ),
  );
}
