import type { Response } from 'express';

/**
 * Aborted once the caller no longer waits: it disconnected, or the operation timed out. Created only if an operation
 * asks for it.
 */
export function cancellationOf(response: Response): AbortSignal {
  const known = response.locals['cancellation'] as AbortController | undefined;
  if (known) return known.signal;
  const controller = new AbortController();
  response.locals['cancellation'] = controller;
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Stops the work still running for a response. */
export function cancel(response: Response): void {
  (response.locals['cancellation'] as AbortController | undefined)?.abort();
}
