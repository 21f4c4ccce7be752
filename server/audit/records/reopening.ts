import { VadeError } from '../../../compiler/schema/errors.ts';
import type { AuditStore } from './store.ts';

/** A store that may be there later: the database is unreachable or refuses connections. */
export class Unreachable extends VadeError {}

/**
 * A store that is opened again: one that could not be reached at the start, or has ended by itself. What is asked of it
 * meanwhile is rejected, as by any store that is down.
 *
 * @param first null where it could not be reached
 */
export function reopening(first: AuditStore | null, open: () => Promise<AuditStore>): AuditStore {
  let store = first;
  let opening: Promise<AuditStore> | null = null;
  let isOver = false;
  const alive = () => (store?.hasEnded?.() === true ? null : store);
  const ready = async () => {
    const there = alive();
    if (there !== null) return there;
    if (isOver) throw new Error('the audit has ended');
    // what it left open: a thread that reads, say
    void store?.end().catch(() => undefined);
    store = null;
    // whoever asks meanwhile waits for the same attempt
    opening ??= open()
      .then((opened) => (store = opened))
      .finally(() => (opening = null));
    return opening;
  };
  return {
    append: async (entries) => (await ready()).append(entries),
    checkpoint: async (point) => (await ready()).checkpoint(point),
    isClosed: async (token) => (await ready()).isClosed(token),
    list: async (...asked) => (await ready()).list(...asked),
    days: async (...asked) => (await ready()).days(...asked),
    sums: async (...asked) => (await ready()).sums(...asked),
    answersAt: async (...asked) => (await ready()).answersAt(...asked),
    archive: async (documents) => (await ready()).archive(documents),
    end: async () => {
      isOver = true;
      await opening?.catch(() => undefined);
      await alive()?.end();
    },
  };
}
