import { chained, genesis } from '../../../server/audit/records/hash-chain.ts';
import type { AuditStore, NewEntry, SignedPoint } from '../../../server/audit/records/store.ts';

/** A store that does what it is told to. */
export function fakeStore() {
  let head = genesis('w1');
  const kept = new Map<string, NewEntry>();
  const batches: number[] = [];
  const points: SignedPoint[] = [];
  const archived: string[] = [];
  const mode = { now: 'up' as 'up' | 'down' | 'hangs' };
  let freed: () => void = () => undefined;
  const works = async () => {
    if (mode.now === 'down') throw new Error('the store is down');
    if (mode.now === 'hangs') await new Promise<void>((resolve) => (freed = resolve));
  };
  const store: AuditStore = {
    append: async (entries) => {
      await works();
      await new Promise(setImmediate);
      batches.push(entries.length);
      for (const entry of entries) {
        const key = `${entry.type} ${entry.id}`;
        if (kept.has(key)) continue;
        kept.set(key, entry);
        head = chained(head, entry.body);
      }
      return head;
    },
    checkpoint: async (point) => {
      await works();
      points.push(point);
    },
    isClosed: async (token) => {
      await works();
      return kept.has(`closing ${token}`);
    },
    list: () => Promise.resolve([]),
    days: () => Promise.resolve([]),
    sums: () => Promise.resolve([]),
    answersAt: () => Promise.resolve([]),
    archive: async ({ documents }) => {
      await works();
      archived.push(...documents.map((it) => it.version));
    },
    end: () => Promise.resolve(),
  };
  const turn = (to: typeof mode.now) => {
    mode.now = to;
    freed();
  };
  return { store, kept, batches, points, archived, turn, ids: () => [...kept.values()].map((it) => it.id) };
}
