import { changedFiles, readBlobs } from '../git/read-history.ts';
import { readTip } from '../git/repository.ts';
import { gather, type FileNote, type HeldFiles, type HeldRow, type Layout, type SubjectName } from '../state/files.ts';
import { FORMAT_PATH, requireKnown } from '../state/store-format.ts';
import { homesOf } from './homes.ts';
import type { OwnerPlace } from './place.ts';

/** Names that a subject may have: the plain one, and those with a suffix that another subject has pushed it to. */
const NAMES = 3;

/** Files that a scan lists, and versions of its subjects that it reads. */
const MOST_FILES = 20_000;
const MOST_READ = 200;

/**
 * The files of some subjects in a store, read from git alone: for a copy that is missing and cannot be made again.
 * Bounded: it lists the tree of the tip, and reads the files of these subjects.
 *
 * @throws continuity_unavailable, repository_unreadable, git_unavailable, Error for a store that is too large
 */
export async function scanFor(
  place: OwnerPlace,
  layout: Layout,
  subjects: readonly SubjectName[],
): Promise<readonly HeldFiles[]> {
  const tip = readTip(place.folder);
  const listed = tip === null ? [] : await changedFiles(place, null, tip);
  const homes = subjects.flatMap((it) => homesOf(it, layout, NAMES));
  const wanted = listed.filter(({ path }) => path === FORMAT_PATH || homes.some((home) => layout.isOf(home, path)));
  if (listed.length > MOST_FILES || wanted.length > MOST_READ) throw new Error('the store is too large for a scan');
  const blobs = await readBlobs(place, [...new Set(wanted.flatMap(({ blob }) => blob ?? []))]);
  const format = wanted.find(({ path }) => path === FORMAT_PATH)?.blob ?? '';
  requireKnown(blobs.get(format) ?? null, place.owner, tip === null);
  const rows = wanted.flatMap(({ path, blob }) => rowOf(path, blobs.get(blob ?? ''), layout));
  const holder = (home: string) => rows.find((it) => it.home === home && it.id !== '')?.id ?? null;
  return subjects.map((subject) => {
    const home = layout.homeOf(subject, holder);
    return gather(
      home,
      rows.filter((it) => it.home === home),
    );
  });
}

function rowOf(path: string, bytes: Buffer | undefined, { describe }: Layout): (HeldRow & FileNote)[] {
  const note = bytes && describe(path, bytes);
  return bytes && note ? [{ path, bytes, ...note }] : [];
}
