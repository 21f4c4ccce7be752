import { changedFiles, commitsSince, readBlobs } from '../git/read-history.ts';
import { readTip, type StorePlace } from '../git/repository.ts';
import { fileTable, type FileTable, type Layout } from '../state/files.ts';
import { requestTable, type RequestTable } from '../state/requests.ts';
import type { StateFile } from '../state/state-file.ts';
import { requestIn } from './trailers.ts';

/** The state as a copy of the repository. */
export interface Mirror {
  readonly files: FileTable;
  readonly requests: RequestTable;
  /** The commit that the state shows; null before the first. */
  readonly tip: () => string | null;
  readonly setTip: (tip: string) => void;
  /**
   * Takes over what others committed, such as a process that was killed before it said so. Only for who is alone.
   *
   * @returns the tip
   * @throws repository_unreadable, git_unavailable
   */
  readonly follow: () => Promise<string | null>;
}

/** Blobs that one git reads at a time. */
const BLOBS = 2000;

/** @param state open for writing */
export function mirrorOf(place: StorePlace, { db }: StateFile, layout: Layout): Mirror {
  const files = fileTable(db, layout);
  const requests = requestTable(db);
  const getTip = db.prepare("SELECT value FROM meta WHERE name = 'tip'").pluck();
  const putTip = db.prepare("INSERT OR REPLACE INTO meta VALUES ('tip', ?)");
  const tip = () => (getTip.get() as string | undefined) ?? null;
  const take = async (from: string | null, to: string): Promise<void> => {
    const changed = await changedFiles(place, from, to);
    for (let at = 0; at < changed.length; at += BLOBS) {
      const some = changed.slice(at, at + BLOBS);
      const blobs = await readBlobs(place, [...new Set(some.flatMap(({ blob }) => blob ?? []))]);
      for (const { path, blob } of some) files.write(path, blob === null ? null : (blobs.get(blob) ?? null));
    }
    for (const { id, at, message } of await commitsSince(place, from, to)) {
      const request = requestIn(message);
      if (request) requests.keep({ ...request, commit: id, at: at * 1000 });
    }
    putTip.run(to);
  };
  const again = async (to: string): Promise<void> => {
    files.clear();
    requests.clear();
    await take(null, to);
  };
  const follow: Mirror['follow'] = async () => {
    const [from, to] = [tip(), readTip(place.folder)];
    if (from === to) return to;
    if (to === null) {
      // somebody emptied the repository
      files.clear();
      requests.clear();
      db.exec("DELETE FROM meta WHERE name = 'tip'");
    } else if (from === null) await again(to);
    // after a purge or a restored backup the history does not lead from one to the other
    else await take(from, to).catch(() => again(to));
    return to;
  };
  return { files, requests, tip, setTip: (to) => void putTip.run(to), follow };
}
