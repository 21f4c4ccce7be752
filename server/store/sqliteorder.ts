import type { SqliteWriter } from './sqlitewriter.ts';

/** What the main thread asks of the thread that writes: a call of the writer. */
export interface Order {
  readonly id: number;
  readonly call: keyof SqliteWriter;
  readonly given: readonly unknown[];
}

/** What came of it. */
export interface Done {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** `id` of what the opening itself came to. */
export const OPENED = 0;
