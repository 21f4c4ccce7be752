import { startThread } from '../../../compiler/io/process/thread-calls.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import type { WriterCalls, WriterOptions } from './messages.ts';

/** The thread that writes, as the main thread calls it. */
export interface WriterThread extends WriterCalls {
  readonly hasEnded: () => boolean;
  /** Ends the thread after what it was sent; it never fails. */
  readonly end: () => Promise<void>;
}

/** @param onTrouble called with what went wrong and was survived */
export function startWriter(data: WriterOptions, onTrouble: (reason: string) => void): WriterThread {
  const lost = (cause: Error | null) => {
    if (cause !== null) onTrouble(cause.message);
    const message = 'the store has not confirmed this: its thread has ended; retry';
    return new VadeError('continuity_unavailable', message);
  };
  const thread = startThread<WriterCalls>('server/continuity/thread/worker', { data, lost, onTrouble });
  return {
    mutate: (...args) => thread.call('mutate', args),
    coordinate: (...args) => thread.call('coordinate', args),
    follow: (...args) => thread.call('follow', args),
    schedule: (...args) => thread.call('schedule', args),
    health: () => thread.call('health', []),
    hasEnded: thread.hasEnded,
    end: async () => {
      // the thread reports an unexpected failure itself, and the rest of the server is still to be closed
      if (!thread.hasEnded()) await thread.end().catch(() => undefined);
    },
  };
}
