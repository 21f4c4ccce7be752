import { chained, genesis } from '../../../server/audit/records/hash-chain.ts';
import type { AuditStore, NewEntry, SignedPoint } from '../../../server/audit/records/store.ts';

/** A store that checkMode, fails or hangs, as the test sets it. */
export function fakeStore() {
  let head = genesis('w1');
  const stored = new Map<string, NewEntry>();
  const batches: number[] = [];
  const points: SignedPoint[] = [];
  const archived: string[] = [];
  /** Batches that were offered, stored or not, and those of them that wait for an answer. */
  const offers = { all: 0, open: 0 };
  const mode = { now: 'up' as 'up' | 'down' | 'hangs' };
  let release: () => void = () => undefined;
  const checkMode = async () => {
    if (mode.now === 'down') throw new Error('the store is down');
    if (mode.now === 'hangs') await new Promise<void>((resolve) => (release = resolve));
  };
  const store: AuditStore = {
    append: async (entries) => {
      offers.all += 1;
      offers.open += 1;
      await checkMode().finally(() => (offers.open -= 1));
      await new Promise(setImmediate);
      batches.push(entries.length);
      for (const entry of entries) {
        const key = `${entry.type} ${entry.id}`;
        if (stored.has(key)) continue;
        stored.set(key, entry);
        head = chained(head, entry);
      }
      return head;
    },
    checkpoint: async (point) => {
      await checkMode();
      points.push(point);
    },
    isClosed: async (token) => {
      await checkMode();
      return stored.has(`closing ${token}`);
    },
    list: () => Promise.resolve([]),
    days: () => Promise.resolve([]),
    sums: () => Promise.resolve([]),
    arrivals: () => Promise.resolve([]),
    archive: async ({ documents }) => {
      await checkMode();
      archived.push(...documents.map((it) => it.version));
    },
    end: () => Promise.resolve(),
  };
  const turn = (to: typeof mode.now) => {
    mode.now = to;
    release();
  };
  const ids = () => [...stored.values()].map((it) => it.id);
  return { store, stored, batches, points, archived, turn, ids, offers };
}
