import type { Database as Connection } from 'better-sqlite3';
import { VadeError } from '../../../compiler/schema/errors.ts';

/** Time for which a request with an idempotency key is remembered, in milliseconds. */
const REQUEST_MS = 30 * 24 * 60 * 60 * 1000;

/** A request that may be sent again: digests only, because the texts belong to their capsule. */
export interface RequestKey {
  /** sha256 of the key. */
  readonly key: string;
  /** sha256 of the operation and its body. */
  readonly digest: string;
}

/** The answer to a request. */
export interface Answered {
  /** The answer without the commit. */
  readonly answer: unknown;
  readonly commit: string;
}

interface Remembered extends RequestKey, Answered {
  /** The file whose purge forgets it too. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The requests of the last month that had an idempotency key. */
export interface RequestTable {
  /**
   * The answer to the same request, if it was answered before.
   *
   * @param now milliseconds since 1970
   * @throws idempotency_conflict if the key belongs to another request
   */
  readonly find: (request: RequestKey, now: number) => Answered | null;
  readonly keep: (request: Remembered) => void;
  readonly clear: () => void;
}

export function requestTable(db: Connection): RequestTable {
  const select = db.prepare('SELECT digest, answer, commit_id FROM requests WHERE key = ? AND at > ?');
  const insert = db.prepare('INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?, ?, ?)');
  const expire = db.prepare('DELETE FROM requests WHERE at <= ?');
  const clear = db.prepare('DELETE FROM requests');
  return {
    find: ({ key, digest }, now) => {
      const row = select.get(key, now - REQUEST_MS) as
        | { digest: string; answer: string; commit_id: string }
        | undefined;
      if (!row) return null;
      if (row.digest === digest) return { answer: JSON.parse(row.answer) as unknown, commit: row.commit_id };
      throw new VadeError('idempotency_conflict', 'this idempotency_key belongs to another request: use a new one');
    },
    keep: ({ key, digest, path, answer, commit, at }) => {
      // a request of the future, after a clock was set back, is kept until that day has passed
      expire.run(at - REQUEST_MS);
      insert.run(key, digest, path, JSON.stringify(answer), commit, at);
    },
    clear: () => void clear.run(),
  };
}
