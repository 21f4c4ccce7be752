import { describe, expect, test } from 'vitest';
import { recallEntry } from '../../../../server/audit/records/entry.ts';
import { createReopeningStore, Unreachable } from '../../../../server/audit/records/reopening-store.ts';
import type { AuditStore } from '../../../../server/audit/records/store.ts';
import { fakeStore } from '../fake-store.ts';
import { record } from '../records.ts';

const entry = (i: number) => recallEntry(record(i), 'full');

describe('a reopening store', () => {
  test('the first call opens the store, once for all concurrent calls', async () => {
    const fake = fakeStore();
    let times = 0;
    const store = createReopeningStore(null, async () => {
      times += 1;
      await new Promise(setImmediate);
      return fake.store;
    });
    await Promise.all([store.append([entry(1)]), store.append([entry(2)]), store.list('anybody', 1, 1)]);
    await store.append([entry(3)]);
    expect(times).toBe(1);
    expect(fake.ids()).toEqual([1, 2, 3].map((i) => record(i).id));
  });

  test('calls are rejected while the store is unreachable, and each call tries to open it again', async () => {
    const fake = fakeStore();
    let isReachable = false;
    const store = createReopeningStore(null, () =>
      isReachable ? Promise.resolve(fake.store) : Promise.reject(new Unreachable('audit_unavailable', 'unreachable')),
    );
    await expect(store.append([entry(1)])).rejects.toThrow(Unreachable);
    await expect(store.isClosed('any')).rejects.toThrow(Unreachable);
    isReachable = true;
    await store.append([entry(1)]);
    expect(fake.ids()).toEqual([record(1).id]);
  });

  test('a store that has ended by itself is closed and replaced', async () => {
    const [first, second] = [fakeStore(), fakeStore()];
    let hasEnded = false;
    const ends: string[] = [];
    const closable = (name: string, store: AuditStore, ended: () => boolean): AuditStore => ({
      ...store,
      hasEnded: ended,
      end: () => Promise.resolve(void ends.push(name)),
    });
    const store = createReopeningStore(
      closable('first', first.store, () => hasEnded),
      () => Promise.resolve(closable('second', second.store, () => false)),
    );
    await store.append([entry(1)]);
    hasEnded = true;
    await store.append([entry(2)]);
    await store.end();
    expect([first.ids(), second.ids()]).toEqual([[record(1).id], [record(2).id]]);
    expect(ends).toEqual(['first', 'second']);
  });

  test('a store that was closed without having been opened is not opened afterwards', async () => {
    let times = 0;
    const store = createReopeningStore(null, () => {
      times += 1;
      return Promise.resolve(fakeStore().store);
    });
    await store.end();
    await expect(store.append([entry(1)])).rejects.toThrow();
    expect(times).toBe(0);
  });
});
