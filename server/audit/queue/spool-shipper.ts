import type { NewEntry } from '../records/store.ts';
import type { Spool } from './spool.ts';

/** Rows per transaction; a query waits for one transaction at most. */
const BATCH_ROWS = 500;

/**
 * Delay in which rows are collected, in milliseconds: a transaction costs as much as some answers, and the rows are
 * safe in the spool already.
 */
const BATCH_DELAY_MS = 20;

/**
 * Writes rows that are already in the spool to the store: in order, in batches. Rows that the store does not accept
 * stay in the spool for the drain, and the shipper forgets them.
 */
export class SpoolShipper {
  readonly #spool: Spool;
  readonly #write: (entries: readonly NewEntry[]) => Promise<unknown>;
  readonly #onFailed: () => void;
  #waiting: NewEntry[] = [];
  #added = 0;
  #shipment: Promise<void> = Promise.resolve();
  #busy = false;

  /** @param onFailed called when the rows were left to the drain */
  constructor(spool: Spool, write: (entries: readonly NewEntry[]) => Promise<unknown>, onFailed: () => void) {
    this.#spool = spool;
    this.#write = write;
    this.#onFailed = onFailed;
  }

  /** Rows that the store has not accepted yet. */
  get rows(): number {
    return this.#waiting.length;
  }

  /** When the oldest of them was created, in milliseconds since 1970. */
  get since(): number | null {
    return this.#waiting[0]?.created_at ?? null;
  }

  /** The rows survive the process when this returns. @throws Error if the spool does not accept them */
  add(entries: readonly NewEntry[]): void {
    this.#spool.add(entries);
    this.#waiting.push(...entries);
    this.#added += entries.length;
    if (!this.#busy) void this.#run();
  }

  /** Leaves the waiting rows to the drain. */
  forget(): void {
    this.#waiting = [];
  }

  has(type: NewEntry['type'], id: string): boolean {
    return this.#waiting.some((it) => it.type === type && it.id === id);
  }

  /** Resolves once the store has accepted or refused the rows that wait now. */
  async caughtUp(): Promise<void> {
    const all = this.#added;
    while (this.#busy && this.#added - this.#waiting.length < all) await this.#shipment;
  }

  /** Resolves once the store has accepted or refused the rows that are on their way to it. */
  shipped(): Promise<void> {
    return this.#shipment;
  }

  async #run(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      this.#shipment = this.#shipBatch();
      await this.#shipment;
    }
    this.#busy = false;
  }

  async #shipBatch(): Promise<void> {
    if (this.#waiting.length < BATCH_ROWS) await new Promise((resolve) => setTimeout(resolve, BATCH_DELAY_MS));
    const batch = this.#waiting.slice(0, BATCH_ROWS);
    if (batch.length === 0) return;
    try {
      await this.#write(batch);
      if (this.#waiting[0] !== batch[0]) return;
      this.#waiting.splice(0, batch.length);
      this.#spool.stored(batch.length);
    } catch {
      this.forget();
      this.#onFailed();
    }
  }
}
