import type { SubjectKind } from '../schema/words.ts';

/**
 * All that the store holds of one subject, as bytes: the pure core judges what is old or damaged. `path` is where the
 * active capsule is, or would be (`activePath`); the keys of `archives` are paths.
 */
export interface SubjectFiles {
  readonly path: string;
  readonly active: Buffer | null;
  readonly fallback: Buffer | null;
  readonly archives: ReadonlyMap<string, Buffer>;
}

/** The changes of one mutation: bytes to write at each path, null to remove it; the message of its commit. */
export interface SubjectChange<Answer> {
  readonly writes: ReadonlyMap<string, Buffer | null>;
  readonly message: string;
  /** The store adds `latest_commit`, which it alone knows. */
  readonly answer: Omit<Answer, 'latest_commit'>;
}

/** The time of a mutation, and the owner whose store it changes. @property now milliseconds since 1970 */
export interface Occasion {
  readonly now: number;
  readonly owner: string;
}

/** One subject of an owner: the kind and the exact id. */
export interface StoredSubject {
  readonly subject_kind: SubjectKind;
  readonly subject_id: string;
}
