/**
 * Processes a list, one item per turn of the event loop, so that requests are answered in between. Stops at the first
 * item that throws.
 */
export async function yieldBetween<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  for (const item of items) {
    await new Promise(setImmediate);
    work(item);
  }
}
