import { existsSync, lstatSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { unignored } from '../../world/exposed-file.ts';
import { addLines, type GitLines } from '../git-lines.ts';

/** A file that is there already, with what Vademecum needs in it. */
export interface Addition {
  readonly file: string;
  readonly text: string;
}

/** The files that a project may have already: those that are added, and those that are kept. */
export interface Extras {
  readonly added: ReadonlyMap<string, string>;
  /** Files that stay as they are. */
  readonly kept: readonly Addition[];
}

/** Files that are new here, and those that are the project's own. */
export function extrasIn(folder: string, files: Iterable<readonly [string, string]>): Extras {
  const all = [...files];
  const isThere = ([path]: readonly [string, string]) => statOf(join(folder, path)) !== undefined;
  return {
    added: new Map(all.filter((it) => !isThere(it))),
    kept: all.filter(isThere).map(([file, text]) => ({ file, text })),
  };
}

/** A file of git in a folder, with the lines of a handbook. */
export interface GitFile extends GitLines {
  readonly name: string;
  readonly isNew: boolean;
}

/** Nothing where a link or a folder has its name. */
export function gitFile(folder: string, name: string, wanted: readonly string[]): GitFile[] {
  const path = join(folder, name);
  const stat = statOf(path);
  if (stat !== undefined && !stat.isFile()) return [];
  return [
    { name, isNew: stat === undefined, ...addLines(stat === undefined ? '' : readFileSync(path, 'utf8'), wanted) },
  ];
}

/** Whether git knows the folder, or one above it. */
export function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  const above = dirname(folder);
  return above !== folder && isInRepository(above);
}

/** The paths that git does not ignore, each as the folder that is new here, where there is one; the sources whole. */
export async function committed(folder: string, paths: readonly string[]): Promise<string[]> {
  const isWhole = (path: string) => path.startsWith('instructions/') || !existsSync(join(folder, dirname(path)));
  const topOf = (path: string): string => (dirname(path) !== '.' && isWhole(path) ? topOf(dirname(path)) : path);
  const kept = await unignored(folder, paths).catch(() => null);
  return [...new Set((kept ?? paths).map(topOf))].sort();
}

/** Undefined if the path does not exist, or if a file stands where a folder is expected. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
