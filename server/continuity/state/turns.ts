import { closeSync, openSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';

/** Lets other processes write too: a lock that is polled goes to whoever polls first, which is who had it last. */
export interface Turns {
  /** Says that this process waits. */
  readonly ask: () => void;
  /**
   * If another process has asked since the last call, waits until it has its turn, but not for long: it may have ended.
   *
   * @param isFree whether nobody has the lock
   */
  readonly yield: (isFree: () => boolean) => Promise<void>;
}

/** Longer than the pause between two attempts of the one that waits. */
const MOMENT_MS = 4;

/** On a busy machine the one that waits comes late, and would never write if nobody waited for it. */
const MOMENTS = 15;

/** @param path an empty file, whose time of change is the sign */
export function createTurns(path: string): Turns {
  closeSync(openSync(path, 'a', 0o600));
  let seen = signOf(path);
  return {
    ask: () => {
      const sign = Number(signOf(path)) + 1;
      utimesSync(path, sign, sign);
      seen = signOf(path);
    },
    yield: async (isFree) => {
      const now = signOf(path);
      if (now === seen) return;
      seen = now;
      for (let moment = 0; moment < MOMENTS && (moment === 0 || isFree()); moment++) await after(MOMENT_MS);
    },
  };
}

/** A counter, kept as a time of change; it is no time. */
function signOf(path: string): string {
  return String(Math.round((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1000));
}
