import { randomBytes } from 'node:crypto';
import type { Database as Connection } from 'better-sqlite3';
import { changedFiles, commitsSince, isBehind, readBlobs } from '../git/read-history.ts';
import { readTip, type StorePlace } from '../git/repository.ts';
import { fileTable, type FileTable, type Layout } from '../state/files.ts';
import { requestTable, type RequestTable } from '../state/requests.ts';
import type { StateFile } from '../state/state-file.ts';
import { requestIn } from './request-trailers.ts';

/** The state as a copy of the repository. */
export interface StateCopy {
  readonly files: FileTable;
  readonly requests: RequestTable;
  /** The commit that the state shows; null before the first. */
  readonly tip: () => string | null;
  readonly setTip: (tip: string) => void;
  /** Changes when the history may have been rewritten: a git that began before must not go on. */
  readonly epoch: () => string;
  /** Takes a rewritten history over. */
  readonly beginAnew: (tip: string) => Promise<void>;
  /**
   * Takes over what others committed, such as a process that was killed before it said so. Only for who is alone.
   *
   * @returns the tip
   * @throws repository_unreadable, git_unavailable
   */
  readonly follow: () => Promise<string | null>;
}

/** @param state open for writing */
export function mirrorOf(place: StorePlace, { db }: StateFile, layout: Layout): StateCopy {
  const files = fileTable(db, layout);
  const requests = requestTable(db);
  const meta = metaTable(db);
  const forget = () => {
    files.clear();
    requests.clear();
    meta.forget('tip');
  };
  const tables = { files, requests, meta };
  const beginAnew: StateCopy['beginAnew'] = async (to) => {
    forget();
    await takeOver(place, tables, null, to);
    meta.set('epoch', randomBytes(8).toString('hex'));
  };
  const follow: StateCopy['follow'] = async () => {
    const [from, to] = [meta.get('tip'), readTip(place.folder)];
    if (from === to) return to;
    if (to === null) forget();
    // after a purge, and in a restored backup, the history does not lead from one to the other
    else if (from === null || !(await isBehind(place, from, to))) await beginAnew(to);
    else await takeOver(place, tables, from, to);
    return to;
  };
  return {
    files,
    requests,
    tip: () => meta.get('tip'),
    setTip: (to) => {
      meta.set('tip', to);
    },
    epoch: () => meta.get('epoch') ?? '',
    beginAnew,
    follow,
  };
}

/** Blobs that one git reads at a time. */
const BLOBS = 2000;

/** Copies what was committed between two commits, or up to one, and remembers that the copy shows it. */
async function takeOver(
  place: StorePlace,
  { files, requests, meta }: Pick<StateCopy, 'files' | 'requests'> & { readonly meta: MetaTable },
  from: string | null,
  to: string,
): Promise<void> {
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
  meta.set('tip', to);
}

/** The state's data about itself, by name. */
function metaTable(db: Connection) {
  const select = db.prepare('SELECT value FROM meta WHERE name = ?').pluck();
  const insert = db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
  const remove = db.prepare('DELETE FROM meta WHERE name = ?');
  return {
    get: (name: 'tip' | 'epoch') => (select.get(name) as string | undefined) ?? null,
    set: (name: 'tip' | 'epoch', value: string) => void insert.run(name, value),
    forget: (name: 'tip' | 'epoch') => void remove.run(name),
  };
}

type MetaTable = ReturnType<typeof metaTable>;
