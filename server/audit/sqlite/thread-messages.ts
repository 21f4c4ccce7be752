import type { StoreOptions } from '../records/store.ts';
import type { SqliteReader } from './reader.ts';
import type { SqliteWriter } from './writer.ts';

/** The options of a thread; without store options it only reads. */
export interface ThreadOptions {
  readonly path: string;
  readonly options: StoreOptions | null;
}

/** A call of the writer or reader, from the main thread. */
export interface ThreadRequest {
  readonly id: number;
  readonly call: keyof SqliteWriter | keyof SqliteReader;
  readonly args: readonly unknown[];
  /** Shared memory; not 0 once the caller no longer waits. */
  readonly stop?: Int32Array;
}

/** The result of a call. */
export interface ThreadReply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** The `id` of the reply to opening itself. */
export const OPENED = 0;
