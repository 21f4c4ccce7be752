import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewEntry } from '../records/store.ts';

export interface BatcherOptions {
  /** Accepts the whole batch. @throws Error if it accepts none of it */
  readonly takeAll: (entries: readonly NewEntry[]) => void;
  /** Handles each entry of a batch that was not accepted. */
  readonly fallback: (entry: NewEntry) => Promise<void>;
}

interface QueuedEntry {
  readonly entry: NewEntry;
  readonly resolve: (result: Promise<void> | undefined) => void;
}

/** Batches the entries of one turn of the event loop, because a write of many rows costs about as much as one row. */
export class Batcher {
  readonly #options: BatcherOptions;
  #queue: QueuedEntry[] = [];

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  /** Resolves once the entry was accepted; rejects if `fallback` rejects. */
  add(entry: NewEntry): Promise<void> {
    return new Promise((resolve) => {
      const first = this.#queue.length === 0;
      this.#queue.push({ entry, resolve });
      if (first) setImmediate(this.#flush);
    });
  }

  /** Resolves once the queue is empty. */
  async idle(): Promise<void> {
    while (this.#queue.length > 0) await nextTurn();
  }

  readonly #flush = (): void => {
    const { takeAll, fallback } = this.#options;
    const batch = this.#queue;
    this.#queue = [];
    try {
      takeAll(batch.map((it) => it.entry));
    } catch {
      for (const { entry, resolve } of batch) resolve(fallback(entry));
      return;
    }
    for (const { resolve } of batch) resolve(undefined);
  };
}
