import { performance } from 'node:perf_hooks';
import type { NewEntry } from '../records/store.ts';

/** An entry that the store has not accepted after this time, in milliseconds, goes to the spool. */
export const WRITE_TIMEOUT_MS = 50;

export interface DirectWriterOptions {
  /** Writes entries to the store, in one transaction. */
  readonly write: (entries: readonly NewEntry[]) => Promise<unknown>;
  /** Stores an entry elsewhere. @throws Error if that fails too */
  readonly divert: (entry: NewEntry) => void;
  /** Called with the number of entries that were stored nowhere. */
  readonly onLost: (entries: number) => void;
}

interface PendingEntry {
  readonly entry: NewEntry;
  /** By a monotonic clock. */
  readonly since: number;
  readonly settle: (error: Error | null) => void;
  /** An entry may be diverted or refused while its batch is still being written. */
  state: 'waiting' | 'diverted' | 'refused';
}

/**
 * Writes entries directly to the store: while one batch is being written, the next one is collected. One timer watches
 * the oldest entry.
 */
export class DirectWriter {
  readonly #options: DirectWriterOptions;
  #queue: PendingEntry[] = [];
  #inFlight: PendingEntry[] = [];
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: DirectWriterOptions) {
    this.#options = options;
  }

  /** Resolves once the entry survives the process; rejects if it was stored nowhere. */
  add(entry: NewEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null) => {
        if (error === null) resolve();
        else reject(error);
      };
      this.#queue.push({ entry, since: performance.now(), settle, state: 'waiting' });
      if (this.#inFlight.length === 0) this.#writing = this.#writeAll();
      if (this.#timer === null) this.#startTimer(WRITE_TIMEOUT_MS);
    });
  }

  /** Resolves once nothing is being written. */
  idle(): Promise<void> {
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = (this.#inFlight = this.#queue);
      this.#queue = [];
      try {
        await this.#options.write(batch.map((it) => it.entry));
        for (const it of batch) if (it.state === 'waiting') it.settle(null);
      } catch {
        for (const it of batch) this.#divert(it);
        // an entry that was refused while the store was still writing it is lost only now
        this.#reportLost(batch);
      }
      this.#inFlight = [];
    }
  }

  #startTimer(after: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const oldest = this.#inFlight.find((it) => it.state === 'waiting') ?? this.#queue[0];
      if (oldest === undefined) return;
      const left = oldest.since + WRITE_TIMEOUT_MS - performance.now();
      if (left > 0) this.#startTimer(left);
      else this.#divertAll();
    }, after);
  }

  /** A batch in flight may still be stored; the store skips duplicates. */
  #divertAll(): void {
    const stuck = this.#queue;
    this.#queue = [];
    for (const it of this.#inFlight) this.#divert(it);
    for (const it of stuck) this.#divert(it);
    this.#reportLost(stuck);
  }

  #divert(it: PendingEntry): void {
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

  #reportLost(batch: readonly PendingEntry[]): void {
    const lost = batch.filter((it) => it.state === 'refused').length;
    if (lost > 0) this.#options.onLost(lost);
  }
}
