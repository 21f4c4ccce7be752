/** One step down: what it leaves out, and how. */
export interface Rung<T> {
  readonly field: string;
  readonly trim: (value: T) => T;
}

/** A value cut to its budget, and the fields that went, in order. */
export interface Fitted<T> {
  readonly value: T;
  readonly size: number;
  readonly trimmed_fields: string[];
}

/**
 * Takes a value down a ladder until it fits its budget, as few rungs as needed; with every rung taken
 * it may still be too large, which `size` tells.
 *
 * @param measure size of a candidate given the fields that went; must not grow down the ladder
 */
export function fit<T>(
  value: T,
  ladder: readonly Rung<T>[],
  budget: number,
  measure: (value: T, trimmedFields: readonly string[]) => number,
): Fitted<T> {
  const tell = (candidate: T, count: number): Fitted<T> => {
    const trimmed_fields = [...new Set(ladder.slice(0, count).map((rung) => rung.field))];
    return { value: candidate, size: measure(candidate, trimmed_fields), trimmed_fields };
  };
  const smallest = tell(
    ladder.reduce((it, rung) => rung.trim(it), value),
    ladder.length,
  );
  // what cannot fit may be of any size: its steps are not kept
  if (smallest.size > budget) return smallest;
  const steps: T[] = [value];
  for (const rung of ladder) steps.push(rung.trim(steps[steps.length - 1] as T));
  const at = (count: number) => tell(steps[count] as T, count);
  let low = 0;
  let high = ladder.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle).size <= budget) high = middle;
    else low = middle + 1;
  }
  return at(low);
}
