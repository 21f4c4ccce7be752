import { UNVERSIONED, type Change, type Commit, type Sources, type TreeFile } from '../../schema/source/sources.ts';
import type { Scanned } from '../files/scan-folder.ts';
import type { ReadFile } from '../files/tree-reader.ts';
import { isWithin } from './files-at.ts';

type Files = ReadonlyMap<string, TreeFile>;
type Read = (scanned: readonly Scanned[], committed: Files) => ReadFile[];

/** A working tree, and the commit below it. */
export interface Overlay {
  /** Folder of the sources, relative to the top. */
  readonly folder: string;
  /** The sources at the last commit; null without one. */
  readonly base: Sources | null;
  /** The files of the folder. */
  readonly scanned: readonly Scanned[];
  readonly read: Read;
  /** Files anywhere in the repository, and their reader. */
  readonly find: (paths: readonly string[]) => Promise<readonly Scanned[]>;
  readonly readNamed: Read;
}

/** The history of the last commit, and one step on top of it with everything that is not committed. */
export function overlay(it: Overlay): Sources {
  const { folder, base } = it;
  const contents = new Map<string, Buffer | null>();
  const keep = ({ file, bytes }: ReadFile) => {
    contents.set(file.blob, bytes);
    return file;
  };
  const tree = byPath(it.read(it.scanned, base?.tree ?? new Map()).map(keep));
  const find = async (paths: readonly string[]) => {
    const found = await it.find(paths);
    const committed = await base?.find(paths.filter(isWithin));
    return it.readNamed(found, byPath(committed ?? [])).map(keep);
  };
  const history = async (paths: readonly string[]) => {
    const before = (await base?.history(paths)) ?? [];
    const committed = new Map([...(base?.tree ?? []), ...byPath((await base?.find(paths)) ?? [])]);
    const changes = changesOf(committed, new Map([...tree, ...byPath(await find(paths))]));
    return changes.length === 0 ? before : [...before, stepAfter(before, changes, it.scanned)];
  };
  return {
    folder,
    commit: base?.commit ?? UNVERSIONED,
    repository: base?.repository ?? null,
    unversioned: true,
    tree,
    notices: base?.notices ?? [],
    read: (blobs, limit) => readBlobs(contents, base, blobs, limit),
    find,
    history,
    origins: (blobs) => base?.origins(blobs) ?? Promise.resolve(new Map()),
    branch: (onto, fallback) => base?.branch(onto, fallback) ?? Promise.resolve([]),
    places: () => placesOn(base),
    commits: (ids) => base?.commits(ids.filter((id) => id !== UNVERSIONED)) ?? Promise.resolve(new Map()),
  };
}

const byPath = (files: readonly TreeFile[]): Files => new Map(files.map((file) => [file.path, file]));

/** Differences between the last commit and the working tree, by path. */
function changesOf(committed: Files, now: Files): Change[] {
  const paths = [...new Set([...committed.keys(), ...now.keys()])].sort();
  return paths.flatMap((path) => {
    const blob = now.get(path)?.blob ?? null;
    return blob === (committed.get(path)?.blob ?? null) ? [] : [{ path, blob }];
  });
}

const AUTHOR = { name: 'unversioned', email: '' };

/**
 * A second after the commit below it: the same tree on the same commit gives the same bytes, whenever it was written.
 * Without a commit, the time of the newest file.
 */
function stepAfter(before: readonly Commit[], changes: readonly Change[], scanned: readonly Scanned[]): Commit {
  const last = before.at(-1)?.committed;
  const newest = scanned.reduce((latest, { modified }) => Math.max(latest, modified), 0);
  const time = last === undefined ? Math.floor(newest / 1000) : last + 1;
  return { id: UNVERSIONED, committed: time, authored: time, author: AUTHOR, changes };
}

/** Blobs of the working tree from memory, all others from git. */
async function readBlobs(
  contents: ReadonlyMap<string, Buffer | null>,
  base: Sources | null,
  blobs: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, Buffer>> {
  const others = blobs.filter((id) => !contents.has(id));
  const found = new Map(base && others.length > 0 ? await base.read(others, limit) : []);
  for (const id of blobs) {
    const bytes = contents.get(id);
    if (bytes && bytes.length <= limit) found.set(id, bytes);
  }
  return found;
}

async function placesOn(base: Sources | null): Promise<Map<string, number>> {
  const known = (await base?.places()) ?? new Map<string, number>();
  return new Map([...known, [UNVERSIONED, known.size + 1]]);
}
