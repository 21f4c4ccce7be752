import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isInside, searchPath } from '../git/git-process.ts';

/**
 * A program on PATH, neither in nor linked into a repository: a pull request can add one there.
 *
 * @param path the variable
 * @param repository real path
 * @returns the program, and the part of PATH that it may use; null if there is none
 */
export function findProgram(
  name: string,
  path: string | undefined,
  repository: string,
): { readonly program: string; readonly path: string } | null {
  const folders = searchPath(path, repository);
  const program = folders.map((it) => join(it, name)).find((it) => isProgram(it, repository));
  return program === undefined ? null : { program, path: folders.join(delimiter) };
}

function isProgram(file: string, repository: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() && !isInside(realpathSync(file), repository);
  } catch {
    return false;
  }
}
