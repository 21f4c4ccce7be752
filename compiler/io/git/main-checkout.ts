import { basename, dirname, join, resolve } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { readRegular } from '../files/file.ts';
import { realOf } from '../files/paths-within.ts';

/** Bytes of a file in which git names a folder. */
const POINTER_BYTES = 4096;

/**
 * The main checkout of a linked worktree, read from git's files; null for any other folder. Git's own record has to
 * name the worktree too: otherwise a folder that somebody sent could point to any repository.
 *
 * @param folder the top of the worktree
 */
export function mainCheckout(folder: string): string | null {
  const pointer = join(folder, '.git');
  const gitdir = folderNamedIn(pointer, folder, 'gitdir: ');
  const common = gitdir === null ? null : folderNamedIn(join(gitdir, 'commondir'), gitdir);
  const back = gitdir === null ? null : folderNamedIn(join(gitdir, 'gitdir'), gitdir);
  if (common === null || back === null || basename(common) !== '.git') return null;
  const isLinked =
    realOf(back) === realOf(pointer) && dirname(realOf(gitdir ?? '')) === join(realOf(common), 'worktrees');
  return isLinked ? dirname(realOf(common)) : null;
}

/** The folder that a file of git names, by a path from `from`; null without one. */
export function folderNamedIn(file: string, from: string, prefix = ''): string | null {
  const text = orNull(() => readRegular(file, POINTER_BYTES, 'refuse').toString('utf8').trimEnd());
  return text?.startsWith(prefix) === true ? resolve(from, text.slice(prefix.length)) : null;
}
