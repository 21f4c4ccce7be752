import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join, posix } from 'node:path';
import { SYMLINK_MODE, UNVERSIONED, type Sources, type TreeFile } from '../../schema/source/sources.ts';
import { blobId } from '../../trust/canonical.ts';
import { readRegular } from '../files/file.ts';
import { filesAt, ignoredBelow } from './files-at.ts';

/** Far above the size of any instruction. */
const MAX_SOURCE_BYTES = 64 * 1024 * 1024;
const AUTHOR = { name: 'unversioned', email: '' };

/**
 * Sources without git, for `--dev` and `vade lint`: the files of the working tree as one commit, with the time of the
 * newest file.
 */
export function unversionedSources(options: { readonly repo: string; readonly folder: string }): Sources {
  const folder = posix.normalize(options.folder).replace(/\/+$/, '');
  const contents = new Map<string, Buffer>();
  const open = (path: string) => readOne(options.repo, path, contents);
  const files = walk(options.repo, folder).map(open);
  const tree = new Map(files.map(({ file }) => [file.path, file]));
  const newest = files.reduce((latest, { modified }) => Math.max(latest, modified), 0);
  const changes = files.map(({ file: { path, blob } }) => ({ path, blob }));
  const find = async (paths: readonly string[]) =>
    filesAt(options.repo, paths, new Set(await ignoredBelow(options.repo, paths))).map(({ path }) => open(path).file);
  return {
    folder,
    commit: UNVERSIONED,
    repository: null,
    tree,
    notices: ['there is no git history: the files count as one commit'],
    read: (blobs, limit) => Promise.resolve(pickBlobs(contents, blobs, limit)),
    find,
    origins: () => Promise.resolve(new Map()),
    history: () => Promise.resolve([{ id: UNVERSIONED, committed: newest, authored: newest, author: AUTHOR, changes }]),
    branch: () => Promise.resolve([]),
    places: () => Promise.resolve(new Map([[UNVERSIONED, 1]])),
    commits: () => Promise.resolve(new Map()),
  };
}

function walk(repo: string, path: string): string[] {
  if (!lstatSync(join(repo, path)).isDirectory()) return [path];
  return readdirSync(join(repo, path))
    .sort()
    .flatMap((name) => walk(repo, `${path}/${name}`));
}

function readOne(repo: string, path: string, contents: Map<string, Buffer>): { file: TreeFile; modified: number } {
  const stat = lstatSync(join(repo, path));
  const bytes = stat.isFile()
    ? readRegular(join(repo, path), MAX_SOURCE_BYTES, 'refuse')
    : stat.isSymbolicLink()
      ? readlinkSync(join(repo, path), 'buffer')
      : Buffer.alloc(0);
  const blob = blobId(bytes);
  contents.set(blob, bytes);
  const mode = stat.isFile() ? '100644' : SYMLINK_MODE;
  return { file: { path, mode, blob, size: bytes.length }, modified: Math.floor(stat.mtimeMs / 1000) };
}

function pickBlobs(
  contents: ReadonlyMap<string, Buffer>,
  blobs: readonly string[],
  limit: number,
): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const id of blobs) {
    const bytes = contents.get(id);
    if (bytes && bytes.length <= limit) found.set(id, bytes);
  }
  return found;
}
