/**
 * The values of several sources, one after the other, of which each is taken once however often this is read. A source
 * that has failed fails again, where it failed.
 */
export function retakeable<T>(sources: readonly Iterable<T>[]): Iterable<T> {
  const taken: T[] = [];
  const rest = all(sources);
  let failure: { readonly error: unknown } | null = null;
  const next = (): IteratorResult<T, void> => {
    if (failure) throw failure.error;
    try {
      return rest.next();
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  function* again(): Generator<T> {
    yield* taken;
    for (let it = next(); it.done !== true; it = next()) {
      taken.push(it.value);
      yield it.value;
    }
  }
  return { [Symbol.iterator]: again };
}

function* all<T>(sources: readonly Iterable<T>[]): Generator<T, void> {
  for (const it of sources) yield* it;
}

/** Whether there is no value; the first one stays to be taken. */
export function isEmpty(values: Iterable<unknown>): boolean {
  const { done } = values[Symbol.iterator]().next();
  return done === true;
}
