import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isInside, searchPath } from '../git/git-process.ts';

/** A program that may be started. */
export interface FoundProgram {
  readonly program: string;
  /** The part of PATH that it may use. */
  readonly path: string;
}

/**
 * A program on PATH, neither in nor linked into a repository: a pull request can add one there. A person may name any
 * program by its absolute path.
 *
 * @param path the variable
 * @param repository real path
 * @returns null if there is none
 */
export function findProgram(named: string, path: string | undefined, repository: string): FoundProgram | null {
  const folders = searchPath(path, repository);
  const isOutside = (file: string) => !isInside(realpathSync(file), repository);
  const onPath = () => folders.map((it) => join(it, named)).find((it) => isProgram(it) && isOutside(it));
  const isName = !named.includes('/');
  const program = isName ? onPath() : [named].find((it) => isAbsolute(it) && isProgram(it));
  return program === undefined ? null : { program, path: folders.join(delimiter) };
}

/** The folders of PATH without those that everybody may write to: an agent may have put a program there. */
export function closedPath(path: string | undefined): string {
  const isClosed = (it: string) => ((statSync(it, { throwIfNoEntry: false })?.mode ?? 0) & 0o002) === 0;
  return (path ?? '').split(delimiter).filter(isClosed).join(delimiter);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
