import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { orNull } from '../../schema/or-null.ts';

/** Paths of files relative to a folder, with `/`; those outside of it are left out. Untrusted: nothing is opened. */
export function pathsWithin(folder: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const path = relative(folder, resolve(folder, file)).replaceAll('\\', '/');
    return path === '' || isAbsolute(path) || path.split('/').includes('..') ? [] : path;
  });
}

/** A path without links; the same where there is nothing. */
export const realOf = (path: string): string => orNull(() => realpathSync(path)) ?? resolve(path);
