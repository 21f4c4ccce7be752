/** The result of some work, or null if it throws: for work whose error nobody needs. */
export function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
