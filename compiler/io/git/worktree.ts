import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUBMODULE_MODE, SYMLINK_MODE, type TreeFile } from '../../schema/source/sources.ts';
import type { Git } from './git.ts';

/**
 * Whether a folder of the working tree holds what its last commit does not. `git status` would ask filters, monitors,
 * and the repositories of submodules, each with a configuration of its own; here files are read and compared.
 *
 * @param top of the working tree
 * @param tree what the last commit has in the folder
 */
export async function isChanged(git: Git, top: string, folder: string, tree: readonly TreeFile[]): Promise<boolean> {
  if (!existsSync(join(top, folder))) return false;
  if (tree.some((file) => !isSame(join(top, file.path), file))) return true;
  const known = new Set(tree.map(({ path }) => path.normalize('NFC')));
  const others = walk(top, folder).filter((path) => !known.has(path.normalize('NFC')));
  if (others.length === 0) return false;
  // a name that begins with a colon would be more than a name
  const list = others.map((path) => `./${path}\0`).join('');
  const ignored = (await git.text(['check-ignore', '--no-index', '--stdin', '-z'], list)).split('\0');
  return others.some((path) => !ignored.includes(`./${path}`));
}

/** Files, links, and repositories of others as one entry each. */
function walk(top: string, path: string): string[] {
  const place = join(top, path);
  if (!lstatSync(place).isDirectory() || existsSync(join(place, '.git'))) return [path];
  return readdirSync(place).flatMap((name) => walk(top, `${path}/${name}`));
}

/** Line ends that git wrote as CR LF are no change. */
function isSame(place: string, { mode, blob, size }: TreeFile): boolean {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (mode === SUBMODULE_MODE) return stat?.isDirectory() === true;
  if (mode === SYMLINK_MODE) return stat?.isSymbolicLink() === true;
  // no line end makes a file more than twice as long
  if (stat?.isFile() !== true || stat.size < size || stat.size > 2 * size) return false;
  const bytes = readFileSync(place);
  return blobId(bytes, blob) === blob || blobId(withoutReturns(bytes), blob) === blob;
}

function withoutReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** The id of a blob, by the algorithm that another was made with. */
function blobId(bytes: Buffer, like: string): string {
  const hash = createHash(like.length === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
