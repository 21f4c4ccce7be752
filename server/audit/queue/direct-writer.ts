import { performance } from 'node:perf_hooks';
import type { NewEntry } from '../records/store.ts';

/** An entry that the store has not taken for this long, in milliseconds, goes to the spool. */
export const PATIENCE_MS = 50;

export interface DirectWriterOptions {
  /** Gives entries to the store, in one transaction. */
  readonly write: (entries: readonly NewEntry[]) => Promise<unknown>;
  /** Keeps an entry elsewhere. @throws Error where that fails too */
  readonly divert: (entry: NewEntry) => void;
  /** Told of entries that nothing has taken. */
  readonly onLost: (entries: number) => void;
}

interface Waiting {
  readonly entry: NewEntry;
  /** By a clock that never steps back. */
  readonly since: number;
  readonly settle: (error: Error | null) => void;
  /** Diverted or refused while its batch may still have been under way. */
  state: 'waiting' | 'diverted' | 'refused';
}

/**
 * The straight way into the store: while one batch is being written, the next one gathers. One timer watches the
 * oldest entry, none the others.
 */
export class DirectWriter {
  readonly #options: DirectWriterOptions;
  #gathering: Waiting[] = [];
  #flying: Waiting[] = [];
  #flight: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: DirectWriterOptions) {
    this.#options = options;
  }

  /** Resolves once the entry outlives the process; rejects where nothing has taken it. */
  add(entry: NewEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null) => {
        if (error === null) resolve();
        else reject(error);
      };
      this.#gathering.push({ entry, since: performance.now(), settle, state: 'waiting' });
      if (this.#flying.length === 0) this.#flight = this.#fly();
      if (this.#timer === null) this.#watch(PATIENCE_MS);
    });
  }

  /** Resolves once nothing is under way. */
  idle(): Promise<void> {
    return this.#flight;
  }

  async #fly(): Promise<void> {
    while (this.#gathering.length > 0) {
      const batch = (this.#flying = this.#gathering);
      this.#gathering = [];
      try {
        await this.#options.write(batch.map((it) => it.entry));
        for (const it of batch) if (it.state === 'waiting') it.settle(null);
      } catch {
        for (const it of batch) this.#putAside(it);
        // what was refused while the store still worked on it is only lost now
        this.#lose(batch);
      }
      this.#flying = [];
    }
  }

  #watch(after: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const oldest = this.#flying.find((it) => it.state === 'waiting') ?? this.#gathering[0];
      if (oldest === undefined) return;
      const left = oldest.since + PATIENCE_MS - performance.now();
      if (left > 0) this.#watch(left);
      else this.#giveUp();
    }, after);
  }

  /** What is under way may still arrive; what arrives twice is stored once. */
  #giveUp(): void {
    const stuck = this.#gathering;
    this.#gathering = [];
    for (const it of this.#flying) this.#putAside(it);
    for (const it of stuck) this.#putAside(it);
    this.#lose(stuck);
  }

  #putAside(it: Waiting): void {
    if (it.state !== 'waiting') return;
    try {
      this.#options.divert(it.entry);
      it.state = 'diverted';
      it.settle(null);
    } catch (error) {
      it.state = 'refused';
      it.settle(error as Error);
    }
  }

  #lose(batch: readonly Waiting[]): void {
    const lost = batch.filter((it) => it.state === 'refused').length;
    if (lost > 0) this.#options.onLost(lost);
  }
}
