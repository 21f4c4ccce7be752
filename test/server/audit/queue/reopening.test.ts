import { describe, expect, test } from 'vitest';
import { recallEntry } from '../../../../server/audit/records/entry.ts';
import { reopening, Unreachable } from '../../../../server/audit/records/reopening.ts';
import type { AuditStore } from '../../../../server/audit/records/store.ts';
import { fakeStore } from '../fake-store.ts';
import { record } from '../records.ts';

const entry = (i: number) => recallEntry(record(i), 'full');

describe('a store that is opened again', () => {
  test('is opened by the first who asks, once for all who ask meanwhile', async () => {
    const fake = fakeStore();
    let times = 0;
    const store = reopening(null, async () => {
      times += 1;
      await new Promise(setImmediate);
      return fake.store;
    });
    await Promise.all([store.append([entry(1)]), store.append([entry(2)]), store.list('anybody', 1, 1)]);
    await store.append([entry(3)]);
    expect(times).toBe(1);
    expect(fake.ids()).toEqual([1, 2, 3].map((i) => record(i).id));
  });

  test('rejects while it cannot be, and tries anew each time it is asked', async () => {
    const fake = fakeStore();
    let isThere = false;
    const store = reopening(null, () =>
      isThere ? Promise.resolve(fake.store) : Promise.reject(new Unreachable('audit_unavailable', 'nobody answers')),
    );
    await expect(store.append([entry(1)])).rejects.toThrow(Unreachable);
    await expect(store.isClosed('any')).rejects.toThrow(Unreachable);
    isThere = true;
    await store.append([entry(1)]);
    expect(fake.ids()).toEqual([record(1).id]);
  });

  test('replaces one that has ended by itself, and ends what it left open', async () => {
    const [first, second] = [fakeStore(), fakeStore()];
    let hasEnded = false;
    const ends: string[] = [];
    const ending = (name: string, store: AuditStore, ended: () => boolean): AuditStore => ({
      ...store,
      hasEnded: ended,
      end: () => Promise.resolve(void ends.push(name)),
    });
    const store = reopening(
      ending('first', first.store, () => hasEnded),
      () => Promise.resolve(ending('second', second.store, () => false)),
    );
    await store.append([entry(1)]);
    hasEnded = true;
    await store.append([entry(2)]);
    await store.end();
    expect([first.ids(), second.ids()]).toEqual([[record(1).id], [record(2).id]]);
    expect(ends).toEqual(['first', 'second']);
  });

  test('ends without having been opened, and is not opened afterwards', async () => {
    let times = 0;
    const store = reopening(null, () => {
      times += 1;
      return Promise.resolve(fakeStore().store);
    });
    await store.end();
    await expect(store.append([entry(1)])).rejects.toThrow();
    expect(times).toBe(0);
  });
});
