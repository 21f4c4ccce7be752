import { performance } from 'node:perf_hooks';
import { openCheckpointer, type SignCheckpoint } from '../chain/checkpointer.ts';
import type { AuditStore, NewEntry } from '../records/store.ts';

export interface WritingOptions {
  readonly store: AuditStore;
  /** Whether the store could be opened. */
  readonly isUp: boolean;
  readonly seal: SignCheckpoint;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told once when the store stops taking entries, and once when it takes them again. */
  readonly onChange: (up: boolean, error: Error | null) => void;
  /** Told of a checkpoint that was not kept; it is tried again. */
  readonly onDelay: (what: 'checkpoint', error: Error) => void;
}

export type Writing = ReturnType<typeof openWriting>;

/** A store that has said nothing for this long, in milliseconds, is as good as down. */
const SILENT_MS = 1000;

/**
 * Batches on their way into the store, one at a time: a chain has one end.
 *
 * @param onBack told when the store takes entries again
 */
export function openWriting(options: WritingOptions, onBack: () => Promise<void>) {
  const { store, seal, now, onChange, onDelay } = options;
  let up = options.isUp;
  let since: number | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const turn = (to: boolean, error: Error | null) => {
    if (up !== to) onChange(to, error);
    up = to;
  };
  const onTrouble = turn.bind(null, false);
  const checkpointer = openCheckpointer(store.checkpoint, seal, now, onDelay.bind(null, 'checkpoint'));
  const append = async (entries: readonly NewEntry[]) => {
    since = performance.now();
    try {
      checkpointer.saw(await store.append(entries));
    } catch (error) {
      onTrouble(error as Error);
      throw error;
    } finally {
      since = null;
    }
    if (!up) void onBack();
    turn(true, null);
  };
  return {
    write: (entries: readonly NewEntry[]): Promise<void> => {
      const next = last.then(() => append(entries));
      last = next.catch(() => undefined);
      return next;
    },
    onTrouble,
    isUp: () => up,
    /** Whether the store answers, as far as is known now. */
    watch: (): boolean => {
      if (since !== null && performance.now() - since > SILENT_MS) onTrouble(new Error('the store says nothing'));
      return up;
    },
    end: checkpointer.end,
  };
}
