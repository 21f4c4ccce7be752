import type { HeldFiles, SubjectName } from '../state/files.ts';
import type { Answered, RequestKey } from '../state/requests.ts';

/** One request to change a subject. */
export interface Mutation {
  readonly subject: SubjectName;
  /** Name of the verb that answers it. */
  readonly verb: string;
  /** Its request, parsed by the schema of its operation; JSON. */
  readonly request: unknown;
  /** Milliseconds since 1970: the one instant of the operation. */
  readonly now: number;
  /** The author of the request, for the history; never a secret. */
  readonly author: string;
  /** Null without an idempotency key. */
  readonly key: RequestKey | null;
}

/** The change that a verb makes from a request: files to write or to remove, and the answer without the commit's id. */
export interface StoreChange {
  readonly writes: ReadonlyMap<string, Buffer | null>;
  readonly message: string;
  readonly answer: unknown;
}

/** The part of the store that a verb sees. */
export interface HeldSubject {
  readonly files: HeldFiles;
  readonly owner: string;
}

/** Applies one mutation to what is held; pure. @throws VadeError */
export type ApplyMutation = (mutation: Mutation, held: HeldSubject) => StoreChange;

/** The outcome of a mutation that is kept. */
export interface KeptMutation extends Answered {
  /** Whether this answers an earlier request again. */
  readonly isReplay: boolean;
}
