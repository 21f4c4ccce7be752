import { versionsIn, type Erasure, type FileVersion } from '../git/filter-export.ts';
import { readBlobs } from '../git/read-history.ts';
import type { StorePlace } from '../git/repository.ts';
import type { Layout, SubjectName } from '../state/files.ts';
import { homesOf } from './homes.ts';

/** Names that are looked at: a subject moves to the next one only while others have all before it. */
const NAMES = 16;

/** Blobs that one git reads at a time. */
const BLOBS = 500;

/**
 * Which versions of a history are of a subject. Names do not tell: two ids may normalise to one, and whose a path was
 * changes once one of them is deleted. So every version says it itself, by the id in its bytes. One that cannot be read
 * is erased, in favour of the person who asks to be forgotten, and counted.
 *
 * @throws repository_unreadable, git_unavailable
 */
export async function erasureOf(
  subject: SubjectName,
  exported: Buffer,
  place: StorePlace,
  layout: Layout,
): Promise<Erasure & { readonly unreadable: number }> {
  const homes = homesOf(subject, layout, NAMES);
  const known = new Map<string, boolean>();
  const mayBeAt = (path: string) => {
    const isKnown = known.get(path) ?? homes.some((home) => layout.isOf(home, path));
    known.set(path, isKnown);
    return isKnown;
  };
  const erased = new Set<string>();
  const unreadable = new Set<string>();
  const versions = versionsIn(exported, mayBeAt);
  for (let at = 0; at < versions.length; at += BLOBS) {
    for (const [version, id] of await namedIn(place, versions.slice(at, at + BLOBS), layout)) {
      if (id === '') unreadable.add(version.blob);
      if (id === '' || id === subject.id) erased.add(keyOf(version));
    }
  }
  return { mayBeAt, isErased: (version) => erased.has(keyOf(version)), unreadable: unreadable.size };
}

function keyOf({ path, blob }: FileVersion): string {
  return `${blob} ${path}`;
}

/** Versions with the ids of their subjects; an empty one where a version does not say. */
async function namedIn(place: StorePlace, versions: readonly FileVersion[], { describe }: Layout) {
  const blobs = await readBlobs(place, [...new Set(versions.map((it) => it.blob))]);
  return versions.map((version) => {
    const bytes = blobs.get(version.blob);
    const note = bytes && describe(version.path, bytes);
    return [version, note?.id ?? ''] as const;
  });
}
