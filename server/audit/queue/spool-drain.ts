import type { NewEntry } from '../records/store.ts';
import type { Spool } from './spool.ts';

/** How long a store that failed is left alone, in milliseconds: doubling, up to the second figure. */
const PAUSE_MS = [20, 250] as const;

/** Carries what waits in the spool to the store, oldest first, as soon as the store takes it. */
export class SpoolDrain {
  readonly #spool: Spool;
  readonly #write: (entries: readonly NewEntry[]) => Promise<unknown>;
  readonly #onTrouble: (error: Error) => void;
  readonly #followed: () => number;
  #pause: number = PAUSE_MS[0];
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #ending = false;

  /** @param followed rows of the spool that are on their way without this */
  constructor(
    spool: Spool,
    write: (entries: readonly NewEntry[]) => Promise<unknown>,
    onTrouble: (e: Error) => void,
    followed: () => number = () => 0,
  ) {
    this.#spool = spool;
    this.#write = write;
    this.#onTrouble = onTrouble;
    this.#followed = followed;
  }

  /** Looks at the spool now, unless that is under way already, or about to be. */
  start(): void {
    if (this.#timer === null && !this.#ending) this.#running ??= this.#run();
  }

  /** Resolves once what is under way is done, or has failed. */
  idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Tries once more what is there, then stops. */
  async end(): Promise<void> {
    this.#ending = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
    if (this.#owed() > 0) await this.#run();
  }

  async #run(): Promise<void> {
    // what asks for it is in the middle of adding its own row
    await Promise.resolve();
    try {
      await this.#drain();
    } catch (error) {
      this.#spool.putBack();
      this.#onTrouble(error as Error);
      if (!this.#ending) this.#later();
    }
    this.#running = null;
    // rows may have come after the last look
    if (this.#owed() > 0) this.start();
  }

  async #drain(): Promise<void> {
    while (this.#owed() > 0) {
      const rows = this.#spool.oldest();
      if (rows.length === 0) return;
      await this.#write(rows);
      this.#spool.drop();
      this.#pause = PAUSE_MS[0];
    }
  }

  /** Rows that nobody else carries. */
  #owed(): number {
    return this.#spool.rows() - this.#followed();
  }

  #later(): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.start();
    }, this.#pause);
    this.#timer.unref();
    this.#pause = Math.min(this.#pause * 2, PAUSE_MS[1]);
  }
}
