import type { Mutation, Written } from '../store/mutation.ts';

/** The options of the thread that writes. */
export interface ThreadOptions {
  /** The folder of all owners. */
  readonly root: string;
}

/** What the thread is asked. */
export type ThreadRequest =
  | { readonly id: number; readonly call: 'mutate'; readonly owner: string; readonly mutation: Mutation }
  | { readonly id: number; readonly call: 'follow'; readonly owner: string }
  | { readonly id: number; readonly call: 'end' };

/** An error that keeps its code on the way; without one it is unexpected. */
export interface SentError {
  readonly code: string | null;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The answer to a request; without an id it is something for the log. */
export type ThreadReply =
  | { readonly id: number; readonly value: Written | null }
  | { readonly id: number; readonly error: SentError }
  | { readonly trouble: string };
