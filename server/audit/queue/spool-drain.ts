import type { NewEntry } from '../records/store.ts';
import type { Spool } from './spool.ts';

/** Delay before a failed store is retried, in milliseconds: doubles from the first to the second value. */
const RETRY_MS = [20, 250] as const;

/** Writes spooled rows to the store, oldest first, as soon as the store accepts them. */
export class SpoolDrain {
  readonly #spool: Spool;
  readonly #write: (entries: readonly NewEntry[]) => Promise<unknown>;
  readonly #onError: (error: Error) => void;
  readonly #shipping: () => number;
  #delay: number = RETRY_MS[0];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #isEnding = false;

  /** @param shipping number of spooled rows that the shipper writes */
  constructor(
    spool: Spool,
    write: (entries: readonly NewEntry[]) => Promise<unknown>,
    onError: (e: Error) => void,
    shipping: () => number,
  ) {
    this.#spool = spool;
    this.#write = write;
    this.#onError = onError;
    this.#shipping = shipping;
  }

  /** Drains the spool now, unless that is in progress or scheduled. */
  start(): void {
    if (this.#timer === undefined && !this.#isEnding) this.#running ??= this.#run();
  }

  /** Resolves once the current run has finished or failed. */
  idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Drains once more, then stops. */
  async end(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#timer);
    await this.#running;
    await this.#run();
  }

  async #run(): Promise<void> {
    // the caller is still adding its own row
    await Promise.resolve();
    try {
      await this.#drain();
    } catch (error) {
      this.#spool.putBack();
      this.#onError(error as Error);
      this.#retryLater();
    }
    this.#running = null;
    // rows may have come after the last check
    if (this.#remaining() > 0) this.start();
  }

  async #drain(): Promise<void> {
    while (this.#remaining() > 0) {
      const rows = this.#spool.oldest();
      if (rows.length === 0) {
        // rows that are counted and not there would be asked for without end
        if (this.#remaining() > 0) this.#retryLater();
        return;
      }
      await this.#write(rows);
      this.#spool.drop();
      this.#delay = RETRY_MS[0];
    }
  }

  /** Spooled rows that the shipper does not write. */
  #remaining(): number {
    return this.#spool.rows() - this.#shipping();
  }

  #retryLater(): void {
    if (this.#isEnding) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.start();
    }, this.#delay);
    this.#timer.unref();
    this.#delay = Math.min(this.#delay * 2, RETRY_MS[1]);
  }
}
