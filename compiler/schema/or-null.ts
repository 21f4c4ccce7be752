/** The result of some work, or null if it throws: for what may fail without a reason that anybody needs. */
export function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
