/** One step: the field that it leaves out, and how. */
export interface TrimStep<T> {
  readonly field: string;
  readonly trim: (value: T) => T;
}

/** A value trimmed to its budget, and the omitted fields, in order. */
export interface Fitted<T> {
  readonly value: T;
  readonly size: number;
  readonly trimmed_fields: string[];
}

/**
 * Applies steps to a value until it fits its budget, and no more than necessary. After all steps it may still be too
 * large; `size` shows that.
 *
 * @param measure size of a candidate, given the omitted fields; must not grow from step to step
 */
export function fit<T>(
  value: T,
  steps: readonly TrimStep<T>[],
  budget: number,
  measure: (value: T, trimmedFields: readonly string[]) => number,
): Fitted<T> {
  const trimmed = (candidate: T, count: number): Fitted<T> => {
    const trimmed_fields = [...new Set(steps.slice(0, count).map((step) => step.field))];
    return { value: candidate, size: measure(candidate, trimmed_fields), trimmed_fields };
  };
  const smallest = trimmed(
    steps.reduce((it, step) => step.trim(it), value),
    steps.length,
  );
  // a value that cannot fit may be of any size: its steps are not kept
  if (smallest.size > budget) return smallest;
  const candidates: T[] = [value];
  for (const step of steps) candidates.push(step.trim(candidates[candidates.length - 1] as T));
  const at = (count: number) => trimmed(candidates[count] as T, count);
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle).size <= budget) high = middle;
    else low = middle + 1;
  }
  return at(low);
}
