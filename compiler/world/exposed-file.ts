import { realpathSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { openGit } from '../io/git/git.ts';
import { findRepository } from '../io/git/repository.ts';
import { withoutIgnored } from '../io/git/uncommitted-files.ts';
import { printable } from '../schema/diagnostics.ts';
import type { Warning } from './world.ts';

/**
 * Warns of a private file or folder that git does not ignore: `git add .` would commit it. A repository that cannot be
 * read does not matter, since the file is already written.
 *
 * @param path absolute
 */
export async function warnIfExposed(path: string): Promise<Warning[]> {
  if (!(await isExposed(path).catch(() => false))) return [];
  const name = printable(basename(path));
  const message = `${name} is private and git does not ignore it: write it below .vade/, or add ${name} to .gitignore before the next git add`;
  return [{ code: 'PRIVATE_FILE_UNIGNORED', message, context: { path } }];
}

async function isExposed(path: string): Promise<boolean> {
  const folder = realpathSync(dirname(path));
  // files in the git directory are never added
  if (`${folder}${sep}`.includes(`${sep}.git${sep}`)) return false;
  return ((await unignored(folder, [basename(path)])) ?? []).length > 0;
}

/** The paths below a folder that git does not ignore; null outside of a working tree. */
export async function unignored(folder: string, paths: readonly string[]): Promise<string[] | null> {
  const repository = await findRepository(folder);
  if (repository === null || repository.bare) return null;
  const { prefix } = repository;
  const all = paths.map((it) => `${prefix}${it}`);
  return (await withoutIgnored(await openGit(repository), all)).map((it) => it.slice(prefix.length));
}
