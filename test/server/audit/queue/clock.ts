import { performance } from 'node:perf_hooks';
import { vi } from 'vitest';

/** Replaces timers and the monotonic clock for one test; `advance` moves both, and lets promises settle. */
export function fakeClock() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  let now = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return {
    advance: async (ms: number) => {
      // a millisecond at a time, so that a timer sees the time at which it fires
      for (let i = 0; i < ms; i++) {
        now += 1;
        await vi.advanceTimersByTimeAsync(1);
      }
      await vi.advanceTimersByTimeAsync(0);
    },
    end: () => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    },
  };
}

/** A promise that the test settles. */
export function held<T = void>() {
  let settle: { resolve: (value: T) => void; reject: (error: Error) => void } | undefined;
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, resolve: (value: T) => settle?.resolve(value), reject: (error: Error) => settle?.reject(error) };
}
