import { describe, expect, test } from 'vitest';
import { Batcher } from '../../../../server/audit/queue/batcher.ts';
import { recallEntry } from '../../../../server/audit/records/entry.ts';
import type { NewEntry } from '../../../../server/audit/records/store.ts';
import { record } from '../records.ts';

const entry = (i: number) => recallEntry(record(i), 'full');
const idOf = ({ id }: NewEntry) => id;

describe('entries that come within one turn of the event loop', () => {
  test('are taken at once, in their order, and each is told when they were', async () => {
    const taken: string[][] = [];
    const gathering = new Batcher({
      take: (entries) => taken.push(entries.map(idOf)),
      otherwise: () => Promise.reject(new Error('not asked for')),
    });
    const entries = [1, 2, 3, 4].map(entry);
    await Promise.all(entries.slice(0, 3).map((it) => gathering.add(it)));
    await gathering.add(entry(4));
    expect(taken.map((it) => it.length)).toEqual([3, 1]);
    expect(taken.flat()).toEqual([1, 2, 3, 4].map((i) => record(i).id));
  });

  test('go their other way one by one where they were not taken, and each is told of its own end', async () => {
    const others: string[] = [];
    const gathering = new Batcher({
      take: () => {
        throw new Error('full');
      },
      otherwise: (it) => {
        others.push(it.id);
        return it.id === record(2).id ? Promise.reject(new Error('lost')) : Promise.resolve();
      },
    });
    const told = await Promise.allSettled([1, 2, 3].map((i) => gathering.add(entry(i))));
    expect(told.map((it) => it.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(others).toEqual([1, 2, 3].map((i) => record(i).id));
  });

  test('are waited for before the audit ends', async () => {
    let taken = 0;
    const gathering = new Batcher({ take: ({ length }) => (taken += length), otherwise: () => Promise.resolve() });
    void gathering.add(entry(1));
    await gathering.idle();
    expect(taken).toBe(1);
  });
});
