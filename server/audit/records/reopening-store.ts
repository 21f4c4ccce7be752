import { VadeError } from '../../../compiler/schema/errors.ts';
import type { AuditStore } from './store.ts';

/** The database is unreachable or refuses connections; a later attempt may succeed. */
export class Unreachable extends VadeError {}

/**
 * A store that is opened again on the next call if it was unreachable at the start, or has ended by itself. Calls are
 * rejected as long as it cannot be opened.
 *
 * @param first null if it was unreachable
 */
export function createReopeningStore(first: AuditStore | null, open: () => Promise<AuditStore>): AuditStore {
  let store = first;
  let opening: Promise<AuditStore> | null = null;
  let isEnding = false;
  const alive = () => (store?.hasEnded?.() === true ? null : store);
  const ready = async () => {
    const current = alive();
    if (current !== null) return current;
    if (isEnding) throw new Error('the audit has ended');
    // closes what is still open, such as a reader thread
    void store?.end().catch(() => undefined);
    store = null;
    // concurrent calls wait for the same attempt
    opening ??= open()
      .then((opened) => (store = opened))
      .finally(() => (opening = null));
    return opening;
  };
  return {
    append: async (entries) => (await ready()).append(entries),
    checkpoint: async (point) => (await ready()).checkpoint(point),
    isClosed: async (token) => (await ready()).isClosed(token),
    list: async (...args) => (await ready()).list(...args),
    days: async (...args) => (await ready()).days(...args),
    sums: async (...args) => (await ready()).sums(...args),
    arrivals: async (...args) => (await ready()).arrivals(...args),
    archive: async (documents) => (await ready()).archive(documents),
    end: async () => {
      isEnding = true;
      await opening?.catch(() => undefined);
      await alive()?.end();
    },
  };
}
