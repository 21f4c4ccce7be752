import { describe, expect, test } from 'vitest';
import { Batcher } from '../../../../server/audit/queue/batcher.ts';
import { recallEntry } from '../../../../server/audit/records/entry.ts';
import type { NewEntry } from '../../../../server/audit/records/store.ts';
import { record } from '../records.ts';

const entry = (i: number) => recallEntry(record(i), 'full');
const idOf = ({ id }: NewEntry) => id;

describe('the batcher', () => {
  test('entries of one turn of the event loop are accepted as one batch, in order', async () => {
    const taken: string[][] = [];
    const batcher = new Batcher({
      takeAll: (entries) => taken.push(entries.map(idOf)),
      fallback: () => Promise.reject(new Error('unexpected')),
    });
    const entries = [1, 2, 3, 4].map(entry);
    await Promise.all(entries.slice(0, 3).map((it) => batcher.add(it)));
    await batcher.add(entry(4));
    expect(taken.map((it) => it.length)).toEqual([3, 1]);
    expect(taken.flat()).toEqual([1, 2, 3, 4].map((i) => record(i).id));
  });

  test('each entry of a refused batch goes to the fallback, and resolves or rejects with it', async () => {
    const others: string[] = [];
    const batcher = new Batcher({
      takeAll: () => {
        throw new Error('full');
      },
      fallback: (it) => {
        others.push(it.id);
        return it.id === record(2).id ? Promise.reject(new Error('lost')) : Promise.resolve();
      },
    });
    const results = await Promise.allSettled([1, 2, 3].map((i) => batcher.add(entry(i))));
    expect(results.map((it) => it.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(others).toEqual([1, 2, 3].map((i) => record(i).id));
  });

  test('idle waits until queued entries are accepted', async () => {
    let taken = 0;
    const batcher = new Batcher({ takeAll: ({ length }) => (taken += length), fallback: () => Promise.resolve() });
    void batcher.add(entry(1));
    await batcher.idle();
    expect(taken).toBe(1);
  });
});
