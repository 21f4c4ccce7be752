import { performance } from 'node:perf_hooks';
import { vi } from 'vitest';

/** Longer than anything in the queue waits, in milliseconds. */
const LONG = 11_000;

/** Replaces timers and the monotonic clock for one test; `advance` moves both, and lets promises settle. */
export function fakeClock() {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  vi.spyOn(performance, 'now').mockImplementation(() => 1000 + Date.now());
  const advance = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  return {
    advance,
    /** Moves the clock until a promise settles. @throws Error if it does not */
    until: async <T>(promise: Promise<T>): Promise<T> => {
      const state = { isSettled: false };
      const settle = () => (state.isSettled = true);
      promise.then(settle, settle);
      await advance(0);
      for (const start = Date.now(); !state.isSettled;) {
        if (vi.getTimerCount() === 0 || Date.now() - start > LONG) throw new Error('it does not settle');
        await vi.advanceTimersToNextTimerAsync();
        await advance(0);
      }
      return promise;
    },
    end: () => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    },
  };
}

/** A promise that the test settles. */
export interface Held<T = void> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: Error) => void;
}

export function held<T = void>(): Held<T> {
  let settle: Omit<Held<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, resolve: (value) => settle?.resolve(value), reject: (error) => settle?.reject(error) };
}
