import { setTimeout } from 'node:timers/promises';
import type { NewEntry } from '../records/store.ts';
import type { Spool } from './spool.ts';

/** Rows of one transaction: whoever asks the store something waits for one at most. */
const MOST = 500;

/** How long rows gather before they go, in milliseconds: each hop to the store costs as much as some answers. */
const GATHER_MS = 5;

/**
 * Carries rows to the store that the spool has already: in their order, as many at a time as have come meanwhile. Rows
 * that the store does not take stay in the spool, and are no longer followed.
 */
export class SpoolShipper {
  readonly #spool: Spool;
  readonly #write: (entries: readonly NewEntry[]) => Promise<unknown>;
  readonly #onFailed: () => void;
  #waiting: NewEntry[] = [];
  #added = 0;
  #hop: Promise<void> = Promise.resolve();
  #busy = false;

  /** @param onFailed told when the rows are the spool's alone to keep */
  constructor(spool: Spool, write: (entries: readonly NewEntry[]) => Promise<unknown>, onFailed: () => void) {
    this.#spool = spool;
    this.#write = write;
    this.#onFailed = onFailed;
  }

  /** Rows that the store has not taken yet. */
  get rows(): number {
    return this.#waiting.length;
  }

  /** When the oldest of them was made, in milliseconds since 1970. */
  get since(): number | null {
    return this.#waiting[0]?.created_at ?? null;
  }

  /** The rows outlive the process when this returns. @throws Error where the spool does not take them */
  add(entries: readonly NewEntry[]): void {
    this.#spool.add(entries);
    this.#waiting.push(...entries);
    this.#added += entries.length;
    if (!this.#busy) void this.#run();
  }

  /** Follows the rows no more that wait now: the spool gives them out with others. */
  leave(): void {
    this.#waiting = [];
  }

  has(type: NewEntry['type'], id: string): boolean {
    return this.#waiting.some((it) => it.type === type && it.id === id);
  }

  /** Resolves once the store has the rows that wait now, or will not take them. */
  async caughtUp(): Promise<void> {
    const all = this.#added;
    while (this.#busy && this.#added - this.#waiting.length < all) await this.#hop;
  }

  async #run(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      this.#hop = this.#carry();
      await this.#hop;
    }
    this.#busy = false;
  }

  async #carry(): Promise<void> {
    if (this.#waiting.length < MOST) await setTimeout(GATHER_MS);
    const batch = this.#waiting.slice(0, MOST);
    if (batch.length === 0) return;
    try {
      await this.#write(batch);
      if (this.#waiting[0] !== batch[0]) return;
      this.#waiting.splice(0, batch.length);
      this.#spool.stored(batch.length);
    } catch {
      this.leave();
      this.#onFailed();
    }
  }
}
