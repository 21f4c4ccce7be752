import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { readIfThere } from '../files/file.ts';
import { folderNamedIn } from './main-checkout.ts';

/** Indexes of larger repositories are left to git. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Versions of an index that spell out each path; the fourth shortens them. */
const SPELLED_OUT: readonly (number | undefined)[] = [2, 3];

/**
 * Whether git may track a path with this name in a folder, as the indexes of the repositories around it say: no process
 * of git is started. A link, and a repository of its own at the path, may lead to what another one tracks. False is
 * certain; after true, git has to be asked.
 *
 * @param name in small letters; a file system may not distinguish others
 */
export function mayTrack(folder: string, name: string): boolean {
  const path = join(folder, name);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink || existsSync(join(path, '.git'))) return true;
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) && (orNull(() => mentions(gitFolder(at), name)) ?? true)) return true;
    if (dirname(at) === at) return false;
  }
}

/** The folder of a worktree's own index. @throws Error where it cannot be read */
function gitFolder(top: string): string {
  const path = join(top, '.git');
  const folder = lstatSync(path).isDirectory() ? path : folderNamedIn(path, top, 'gitdir: ');
  if (folder === null) throw new Error(`${path} names no folder`);
  return folder;
}

function mentions(folder: string, name: string): boolean {
  const index = readIfThere(join(folder, 'index'), MOST_BYTES);
  // nothing was ever added
  if (index === null) return !existsSync(join(folder, 'HEAD'));
  const isWhole = !readdirSync(folder).some((it) => it.startsWith('sharedindex.'));
  const [version] = index.length < 12 ? [] : [index.readUInt32BE(4)];
  return !isWhole || !SPELLED_OUT.includes(version) || index.toString('latin1').toLowerCase().includes(name);
}
