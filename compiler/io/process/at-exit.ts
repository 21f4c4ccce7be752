/** Work that is still to be done when the process exits. */
const pending = new Set<() => void>();

/**
 * Does something when the process exits, unless it is done before: an interrupted command exits without running
 * `finally`. All of it shares one listener, however many folders and programs are in use at once; what began last ends
 * first, so that a program is gone before its folder is removed.
 *
 * @returns forgets it
 */
export function atExit(work: () => void): () => void {
  if (pending.size === 0) process.once('exit', doAll);
  pending.add(work);
  return () => {
    pending.delete(work);
    if (pending.size === 0) process.removeListener('exit', doAll);
  };
}

function doAll(): void {
  for (const work of [...pending].reverse()) {
    try {
      work();
    } catch {
      // the error cannot be reported any more, and the others must still run
    }
  }
  pending.clear();
}
