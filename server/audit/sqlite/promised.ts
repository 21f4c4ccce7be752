type Calls = Record<string, (...given: never[]) => Promise<unknown>>;

/** The same calls, answered at once. */
export type Direct<T extends Calls> = {
  readonly [K in keyof T]: (...given: Parameters<T[K]>) => Awaited<ReturnType<T[K]>>;
};

/** Answers with promises what is answered at once: what is thrown becomes a rejection. */
export function promised<T extends Calls>(direct: Direct<T>): T {
  const calls = Object.entries<(...given: never[]) => unknown>(direct).map(([name, call]) => [
    name,
    (...given: never[]) => Promise.resolve().then(() => call(...given)),
  ]);
  return Object.fromEntries(calls) as T;
}
