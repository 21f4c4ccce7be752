type Calls = Record<string, (...args: never[]) => Promise<unknown>>;

/** The same calls, synchronous. */
export type SyncCalls<T extends Calls> = {
  readonly [K in keyof T]: (...args: Parameters<T[K]>) => Awaited<ReturnType<T[K]>>;
};

/** Wraps synchronous calls in promises; an exception becomes a rejection. */
export function promisifyCalls<T extends Calls>(direct: SyncCalls<T>): T {
  const calls = Object.entries<(...args: never[]) => unknown>(direct).map(([name, call]) => [
    name,
    (...args: never[]) => Promise.resolve().then(() => call(...args)),
  ]);
  return Object.fromEntries(calls) as T;
}
