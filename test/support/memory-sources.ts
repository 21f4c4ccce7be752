import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { Authorship, Sources } from '../../compiler/schema/source/sources.ts';

/** Sources that lie in memory, by path below `instructions/`: what lint reads, without a disk. */
export function memorySources(files: ReadonlyMap<string, string>): Sources {
  const bytes = new Map([...files].map(([path, text]) => [`instructions/${path}`, Buffer.from(text)]));
  const tree = [...bytes].map(
    ([path, { length }]) => [path, { path, mode: '100644', blob: path, size: length }] as const,
  );
  return {
    folder: 'instructions',
    commit: '',
    repository: null,
    tree: new Map(tree),
    notices: [],
    read: (blobs, limit) => {
      const found = blobs.map((blob) => [blob, bytes.get(blob) ?? Buffer.alloc(0)] as const);
      return Promise.resolve(new Map(found.filter(([, it]) => it.length <= limit)));
    },
    find: () => Promise.resolve([]),
    history: () => Promise.resolve([]),
    origins: () => Promise.resolve(new Map()),
    branch: () => Promise.resolve([]),
    places: () => Promise.resolve(new Map()),
    commits: () => Promise.resolve(new Map()),
  };
}

/** The one commit of sources that lie in memory, by Ada Lovelace. */
const ONLY: Authorship = {
  id: 'c'.repeat(40),
  committed: 1_760_000_060,
  authored: 1_760_000_060,
  author: { name: 'Ada Lovelace', email: 'ada@example.com' },
};

/** Sources that lie in memory, by path below `instructions/`, all of one commit: what a compile reads, without git. */
export function committedSources(files: ReadonlyMap<string, string | Buffer>): Sources {
  const blobs = new Map<string, Buffer>();
  const tree = [...files].map(([path, content]) => {
    const bytes = Buffer.from(content);
    const blob = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
    blobs.set(blob, bytes);
    return { path: posix.join('instructions', path), mode: '100644', blob, size: bytes.length };
  });
  const changes = tree.map(({ path, blob }) => ({ path, blob }));
  return {
    ...memorySources(new Map()),
    commit: ONLY.id,
    tree: new Map(tree.filter(({ path }) => path.startsWith('instructions/')).map((file) => [file.path, file])),
    read: (ids, limit) =>
      Promise.resolve(new Map([...blobs].filter(([id, it]) => ids.includes(id) && it.length <= limit))),
    find: (paths) =>
      Promise.resolve(tree.filter((file) => paths.some((it) => file.path === it || file.path.startsWith(`${it}/`)))),
    history: () => Promise.resolve([{ ...ONLY, changes }]),
    places: () => Promise.resolve(new Map([[ONLY.id, 1]])),
  };
}
