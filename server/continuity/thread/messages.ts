import type { ArtefactChange, ChangedArtefact } from '../../../compiler/continuity/coordination/change.ts';
import type { ScheduleChange, ScheduleCommand } from '../../../compiler/continuity/schedule/command.ts';
import type { ScheduleOccasion } from '../../../compiler/continuity/schedule/item.ts';
import type { ThreadHealth } from '../store/health.ts';
import type { Mutation, Written } from '../store/mutation.ts';

/** The options of the thread that writes. */
export interface ThreadOptions {
  /** The folder of all owners. */
  readonly root: string;
}

/** A request to the thread. */
export type ThreadRequest =
  | { readonly id: number; readonly call: 'mutate'; readonly owner: string; readonly mutation: Mutation }
  | { readonly id: number; readonly call: 'follow'; readonly owner: string }
  | { readonly id: number; readonly call: 'coordinate'; readonly change: ArtefactChange }
  /** Without a command only the file is made, if there is none. */
  | {
      readonly id: number;
      readonly call: 'schedule';
      readonly owner: string;
      readonly command: ScheduleCommand | null;
      readonly occasion: ScheduleOccasion;
    }
  | { readonly id: number; readonly call: 'health' }
  | { readonly id: number; readonly call: 'end' };

/** The result of a request about a schedule. */
export interface ScheduleReply {
  readonly change: ScheduleChange | null;
  /** Whether there was none, and an empty one was made. */
  readonly wasMissing: boolean;
}

/** The thread's answer; null if there is none to give. */
export type ThreadValue = Written | ChangedArtefact | ScheduleReply | ThreadHealth | null;

/** An error that keeps its code on the way; without one it is unexpected. */
export interface SentError {
  readonly code: string | null;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The answer to a request; without an id it is something for the log. */
export type ThreadReply =
  | { readonly id: number; readonly value: ThreadValue }
  | { readonly id: number; readonly error: SentError }
  | { readonly trouble: string };
