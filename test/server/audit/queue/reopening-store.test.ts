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

  test('every call is passed on with what it is given, and so is its answer', async () => {
    const calls = ['append', 'checkpoint', 'isClosed', 'list', 'days', 'sums', 'archive'] as const;
    const given = ['list', 'days', 'sums'] as const;
    const passed = calls.map((name) => [name, (...args: unknown[]) => Promise.resolve([name, ...args])]);
    const store = createReopeningStore({ ...fakeStore().store, ...Object.fromEntries(passed) } as AuditStore, () =>
      Promise.reject(new Error('is open')),
    );
    for (const name of calls) {
      const args = given.includes(name as 'list') ? ['one', 'two'] : ['one'];
      const called = store[name] as (...args: unknown[]) => Promise<unknown>;
      expect(await called(...args)).toEqual([name, ...args]);
    }
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

  test('a store that has ended is closed once, however often opening the next one fails', async () => {
    let ends = 0;
    const dead = { ...fakeStore().store, hasEnded: () => true, end: () => Promise.resolve(void (ends += 1)) };
    const store = createReopeningStore(dead, () => Promise.reject(new Error('unreachable')));
    for (let i = 0; i < 3; i++) await expect(store.append([entry(1)])).rejects.toThrow('unreachable');
    await store.end();
    expect(ends).toBe(1);
  });

  test('a store that is being opened is closed once it is open', async () => {
    let ends = 0;
    let open: (store: AuditStore) => void = () => undefined;
    const store = createReopeningStore(null, () => new Promise((resolve) => (open = resolve)));
    const appended = store.append([entry(1)]);
    const ended = store.end();
    open({ ...fakeStore().store, end: () => Promise.resolve(void (ends += 1)) });
    await Promise.all([appended, ended]);
    expect(ends).toBe(1);
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
