import type { Sources } from '../../compiler/schema/source/sources.ts';

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
    branch: () => Promise.resolve([]),
    places: () => Promise.resolve(new Map()),
    commits: () => Promise.resolve(new Map()),
  };
}
