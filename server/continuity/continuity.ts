import type { IndexState } from '../../compiler/continuity/retrieve.ts';
import type { ScheduleSettings } from '../../compiler/continuity/schema/schedule/settings.ts';
import type { Coordination } from './coordination/coordination.ts';
import type { Schedule } from './schedule/schedule.ts';
import type { HeldFiles, ListedFile, SubjectName } from './state/files.ts';
import type { ThreadHealth } from './store/health.ts';
import type { Mutation, KeptMutation } from './store/mutation.ts';

/** Folder of the capsules, and the age up to which their archives are recent. */
export interface ContinuityOptions {
  readonly root: string;
  readonly archiveDays: number;
  /** Default: those of the specification. */
  readonly schedule?: ScheduleSettings | undefined;
}

/** The files of several subjects, and the state of the index with which they were found. */
export interface HeldOf {
  readonly files: readonly HeldFiles[];
  /** `stale`: the copy is behind and cannot follow; `missing`: it was made again, or git was read instead. */
  readonly index: IndexState;
}

/** The capsules of all agents, behind one thread that writes. */
export interface Continuity {
  /**
   * Resolves once the change survives a loss of power.
   *
   * @param owner a name that is safe in a path
   * @throws what the verb throws, secret_refused, idempotency_conflict, continuity_unavailable
   */
  readonly mutate: (owner: string, mutation: Mutation) => Promise<KeptMutation>;
  /** All that is held of one subject now. @throws continuity_unavailable */
  readonly held: (owner: string, subject: SubjectName) => Promise<HeldFiles>;
  /** The same of several subjects; if the copy that reads use cannot follow git, from the data that is there. */
  readonly heldOf: (owner: string, subjects: readonly SubjectName[]) => Promise<HeldOf>;
  /** Every capsule of an owner, with the archives; and the fallbacks, if asked. @throws continuity_unavailable */
  readonly list: (owner: string, withFallbacks: boolean) => Promise<readonly ListedFile[]>;
  /** The files of tasks, and misplaced files, at most so many. @throws continuity_unavailable */
  readonly links: (owner: string, most: number) => Promise<readonly ListedFile[]>;
  /** After how many days an archive is stale. */
  readonly archiveDays: number;
  /** Artefacts that agents hand over, share and disagree about. */
  readonly coordination: Coordination;
  readonly schedule: Schedule;
  /** Of the stores that are open now. @throws continuity_unavailable */
  readonly health: () => Promise<ThreadHealth>;
  readonly end: () => Promise<void>;
}
