import type { ArtefactChange, ChangedArtefact } from '../../../compiler/continuity/coordination/change.ts';
import type { ScheduleChange, ScheduleCommand } from '../../../compiler/continuity/schedule/command.ts';
import type { ScheduleOccasion } from '../../../compiler/continuity/schedule/item.ts';
import type { ThreadHealth } from '../store/health.ts';
import type { Mutation, KeptMutation } from '../store/mutation.ts';

/** The options of the thread that writes. */
export interface WriterOptions {
  /** The folder of all owners. */
  readonly root: string;
}

/** Functions of the thread that writes. */
export interface WriterCalls {
  readonly mutate: (owner: string, mutation: Mutation) => Promise<KeptMutation>;
  readonly coordinate: (change: ArtefactChange) => Promise<ChangedArtefact>;
  /** @param damaged as `OwnerStore.follow` takes it */
  readonly follow: (owner: string, damaged: string | null) => Promise<void>;
  /** Changes a schedule; without a command it is only made, if there is none. */
  readonly schedule: (
    owner: string,
    command: ScheduleCommand | null,
    occasion: ScheduleOccasion,
  ) => Promise<ScheduleReply>;
  readonly health: () => Promise<ThreadHealth>;
}

/** The result of a request about a schedule. */
export interface ScheduleReply {
  readonly change: ScheduleChange | null;
  /** Whether there was none, and an empty one was made. */
  readonly wasMissing: boolean;
}
