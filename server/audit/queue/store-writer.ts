import { performance } from 'node:perf_hooks';
import { inTurn } from '../../../compiler/schema/in-turn.ts';
import { createCheckpointer, type SignCheckpoint } from '../chain/checkpointer.ts';
import type { AuditStore, NewEntry } from '../records/store.ts';

export interface StoreWriterOptions {
  readonly store: AuditStore;
  /** Whether the store could be opened. */
  readonly isUp: boolean;
  readonly sign: SignCheckpoint;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called once when the store stops accepting entries, and once when it accepts them again. */
  readonly onChange: (up: boolean, error: Error | null) => void;
  /** Called if a checkpoint could not be stored; it is retried. */
  readonly onDelay: (what: 'checkpoint', error: Error) => void;
}

export type StoreWriter = ReturnType<typeof createStoreWriter>;

/** A store that has not answered for this time, in milliseconds, counts as down. */
const SILENCE_MS = 1000;

/**
 * Writes batches to the store, one at a time, because each continues the chain of the last one.
 *
 * @param onRecovered called when the store accepts entries again
 */
export function createStoreWriter(options: StoreWriterOptions, onRecovered: () => Promise<void>) {
  const { store, sign, now, onChange, onDelay } = options;
  let up = options.isUp;
  let since: number | null = null;
  const oneAtATime = inTurn();
  const setState = (to: boolean, error: Error | null) => {
    if (up !== to) onChange(to, error);
    up = to;
  };
  const onError = setState.bind(null, false);
  const checkpointer = createCheckpointer(store.checkpoint, sign, now, onDelay.bind(null, 'checkpoint'));
  const append = async (entries: readonly NewEntry[]) => {
    since = performance.now();
    try {
      checkpointer.saw(await store.append(entries));
    } catch (error) {
      onError(error as Error);
      throw error;
    } finally {
      since = null;
    }
    if (!up) void onRecovered();
    setState(true, null);
  };
  return {
    write: (entries: readonly NewEntry[]): Promise<void> => oneAtATime(() => append(entries)),
    onError,
    isUp: () => up,
    /** Whether the store answers, as far as is known. */
    watch: (): boolean => {
      if (since !== null && performance.now() - since > SILENCE_MS) onError(new Error('the store does not answer'));
      return up;
    },
    end: checkpointer.end,
  };
}
