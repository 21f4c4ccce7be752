import { mkdirSync } from 'node:fs';
import type { Logger } from 'pino';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { CAPSULES } from './capsules/layout.ts';
import type { Continuity, ContinuityOptions } from './continuity.ts';
import { openReader, type OwnerReader } from './store/owner-reader.ts';
import { startThread, type WriterThread } from './thread/caller.ts';

/** Open readers; each has a few files open. */
const MOST_READERS = 128;

const ATTEMPTS = 10;

/**
 * Opens the capsules below a folder, and makes the folder if it is not there. Writing is one thread's; reading is this
 * thread's, since it takes less than the way to another.
 *
 * @throws output_failed
 */
export function openContinuity({ root, archiveDays }: ContinuityOptions, log: Logger): Continuity {
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new VadeError('output_failed', `${root} cannot be made: ${messageOf(error)}`);
  }
  const thread = restarting(() =>
    startThread({ root }, (reason) => {
      log.error({ reason }, 'a store of capsules failed');
    }),
  );
  const readers = createReaders(root);
  /** Reads the copy; if it is behind, again after it has followed. Others may write in between. */
  const reading = async <T>(owner: string, read: (reader: OwnerReader) => T | null): Promise<T> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = readers.try(owner, read);
      if (found !== null) return found;
      readers.forget(owner);
      await thread().follow(owner);
    }
    throw new VadeError('continuity_unavailable', 'the store is being written to; retry');
  };
  return {
    archiveDays,
    mutate: (owner, mutation) => thread().mutate(owner, mutation),
    held: (owner, subject) => reading(owner, (it) => it.held(subject)),
    list: (owner, withFallbacks) => reading(owner, (it) => it.list(withFallbacks)),
    end: async () => {
      readers.end();
      await thread().end();
    },
  };
}

/** A thread that is started again after it has ended by itself. */
function restarting(start: () => WriterThread): () => WriterThread {
  let thread = start();
  return () => {
    if (thread.hasEnded()) thread = start();
    return thread;
  };
}

/** The readers used last. */
function createReaders(root: string) {
  const open = new Map<string, OwnerReader>();
  const forget = (owner: string) => {
    open.get(owner)?.end();
    open.delete(owner);
  };
  const take = (owner: string): OwnerReader => {
    const reader = open.get(owner) ?? openReader(root, owner, CAPSULES);
    open.delete(owner);
    open.set(owner, reader);
    const [oldest] = open.keys();
    if (open.size > MOST_READERS && oldest !== undefined) forget(oldest);
    return reader;
  };
  return {
    /** Null if the copy is behind, or cannot be read. */
    try: <T>(owner: string, read: (reader: OwnerReader) => T | null): T | null => {
      try {
        return read(take(owner));
      } catch {
        return null;
      }
    },
    forget,
    end: () => {
      for (const owner of [...open.keys()]) forget(owner);
    },
  };
}
