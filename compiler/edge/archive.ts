import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SYMLINK_MODE, type Sources, type TreeFile } from '../model/sources.ts';

const COMMIT = '0'.repeat(40);
const AUTHOR = { name: 'unversioned', email: '' };

/**
 * Sources of an unpacked archive, under `--dev` alone: the files as they lie, counted as one commit
 * that is as old as the newest of them.
 */
export function unversionedSources(options: { readonly repo: string; readonly folder: string }): Sources {
  const contents = new Map<string, Buffer>();
  const files: TreeFile[] = [];
  let newest = 0;
  const add = (path: string) => {
    const stat = lstatSync(join(options.repo, path));
    if (stat.isDirectory()) {
      for (const name of readdirSync(join(options.repo, path)).sort()) add(`${path}/${name}`);
      return;
    }
    const bytes = stat.isFile() ? readFileSync(join(options.repo, path)) : Buffer.alloc(0);
    const blob = blobId(bytes);
    contents.set(blob, bytes);
    newest = Math.max(newest, Math.floor(stat.mtimeMs / 1000));
    files.push({ path, mode: stat.isFile() ? '100644' : SYMLINK_MODE, blob, size: bytes.length });
  };
  add(options.folder.replace(/\/+$/, ''));
  const changes = files.map(({ path, blob }) => ({ path, blob }));
  return {
    folder: options.folder.replace(/\/+$/, ''),
    commit: COMMIT,
    tree: new Map(files.map((file) => [file.path, file])),
    notices: ['there is no git history here: the tree counts as one commit'],
    read: (blobs, limit) =>
      Promise.resolve(
        new Map(
          blobs.flatMap((id) => {
            const bytes = contents.get(id);
            return bytes && bytes.length <= limit ? [[id, bytes] as const] : [];
          }),
        ),
      ),
    find: (paths) => Promise.resolve(files.filter((file) => paths.includes(file.path))),
    history: () => Promise.resolve([{ id: COMMIT, committed: newest, authored: newest, author: AUTHOR, changes }]),
    onChain: (commit) => Promise.resolve(commit === COMMIT),
  };
}

/** The id git would give a blob, so that it reads the same with and without git. */
function blobId(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
