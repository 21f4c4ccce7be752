import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewEntry } from '../records/store.ts';

export interface BatcherOptions {
  /** Takes all of them at once. @throws Error where it takes none */
  readonly take: (entries: readonly NewEntry[]) => void;
  /** The way of one of those that were not taken. */
  readonly otherwise: (entry: NewEntry) => Promise<void>;
}

interface Waiting {
  readonly entry: NewEntry;
  readonly resolve: (taken: Promise<void> | undefined) => void;
}

/** What comes within one turn of the event loop goes on together: under load one write costs as much as many rows. */
export class Batcher {
  readonly #options: BatcherOptions;
  #waiting: Waiting[] = [];

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  /** Resolves once the entry was taken; rejects where its other way does. */
  add(entry: NewEntry): Promise<void> {
    return new Promise((resolve) => {
      const first = this.#waiting.length === 0;
      this.#waiting.push({ entry, resolve });
      if (first) setImmediate(this.#go);
    });
  }

  /** Resolves once nothing waits. */
  async idle(): Promise<void> {
    while (this.#waiting.length > 0) await nextTurn();
  }

  readonly #go = (): void => {
    const { take, otherwise } = this.#options;
    const gathered = this.#waiting;
    this.#waiting = [];
    try {
      take(gathered.map((it) => it.entry));
    } catch {
      for (const { entry, resolve } of gathered) resolve(otherwise(entry));
      return;
    }
    for (const { resolve } of gathered) resolve(undefined);
  };
}
