import type { StoreOptions } from '../records/store.ts';
import type { SqliteReader } from './reader.ts';
import type { SqliteWriter } from './writer.ts';

/** What a thread is made for; with null for options it only reads. */
export interface Opening {
  readonly path: string;
  readonly options: StoreOptions | null;
}

/** What the main thread asks of such a thread: a call of the writer or reader. */
export interface Order {
  readonly id: number;
  readonly call: keyof SqliteWriter | keyof SqliteReader;
  readonly given: readonly unknown[];
  /** Shared with whoever asks: not 0 once nobody waits any more. */
  readonly stop?: Int32Array;
}

/** What came of it. */
export interface Done {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** `id` of what the opening itself came to. */
export const OPENED = 0;
