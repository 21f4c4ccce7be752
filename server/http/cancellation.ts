import type { Response } from 'express';

/**
 * Aborted once nobody waits for an answer any more: its caller went away, or it took too long. Made for those operations
 * alone that ask for it.
 */
export function givenUp(response: Response): AbortSignal {
  const known = response.locals['givenUp'] as AbortController | undefined;
  if (known) return known.signal;
  const made = new AbortController();
  response.locals['givenUp'] = made;
  response.once('close', () => {
    if (!response.writableFinished) made.abort();
  });
  return made.signal;
}

/** Stops what is still done for an answer. */
export function giveUp(response: Response): void {
  (response.locals['givenUp'] as AbortController | undefined)?.abort();
}
