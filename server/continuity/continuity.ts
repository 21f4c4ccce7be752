import type { HeldFiles, ListedFile, SubjectName } from './state/files.ts';
import type { Mutation, Written } from './store/mutation.ts';

/** Where capsules are kept, and for how long their archives are recent. */
export interface ContinuityOptions {
  readonly root: string;
  readonly archiveDays: number;
}

/** The capsules of all agents, behind one thread that writes. */
export interface Continuity {
  /**
   * Resolves once the change survives a loss of power.
   *
   * @param owner a name that is safe in a path
   * @throws what the verb throws, secret_refused, idempotency_conflict, continuity_unavailable
   */
  readonly mutate: (owner: string, mutation: Mutation) => Promise<Written>;
  /** All that is held of one subject now. @throws continuity_unavailable */
  readonly held: (owner: string, subject: SubjectName) => Promise<HeldFiles>;
  /** Every capsule of an owner, with the archives; and the fallbacks, if asked. @throws continuity_unavailable */
  readonly list: (owner: string, withFallbacks: boolean) => Promise<readonly ListedFile[]>;
  /** After how many days an archive is stale. */
  readonly archiveDays: number;
  readonly end: () => Promise<void>;
}
