import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DirectWriter } from '../../../../server/audit/queue/direct-writer.ts';
import type { NewEntry } from '../../../../server/audit/records/store.ts';
import { recalled } from '../memory-ledger.ts';
import { fakeClock, held, type Held } from './clock.ts';

let clock: ReturnType<typeof fakeClock>;
/** Batches that were written, each with the promise that it waits for. */
let batches: { ids: string[]; answer: Held }[];
let diverted: string[];
let lost: number[];
/** How adding each entry came out; missing while it waits. */
let outcomes: Record<string, string>;
let isFull: boolean;
let writer: DirectWriter;

beforeEach(() => {
  clock = fakeClock();
  [batches, diverted, lost, outcomes, isFull] = [[], [], [], {}, false];
  writer = new DirectWriter({
    write: (entries) => {
      const answer = held();
      batches.push({ ids: entries.map(name), answer });
      return answer.promise;
    },
    divert: (entry) => {
      if (isFull) throw new Error('full');
      diverted.push(name(entry));
    },
    onLost: (entries) => lost.push(entries),
  });
});
afterEach(() => {
  clock.end();
});

const name = ({ id }: NewEntry) => id.slice(-1);

async function add(...numbers: readonly number[]): Promise<void> {
  for (const i of numbers) {
    void writer.add(recalled(i)).then(
      () => (outcomes[i] = 'kept'),
      () => (outcomes[i] = 'refused'),
    );
  }
  await clock.advance(0);
}

async function answer(at: number, error?: Error): Promise<void> {
  if (error) batches[at]?.answer.reject(error);
  else batches[at]?.answer.resolve();
  await clock.advance(0);
}

const written = () => batches.map((it) => it.ids.join(''));

describe('a writer to a store that answers', () => {
  test('writes one batch at a time; what comes meanwhile is the next one', async () => {
    await add(1);
    await add(2, 3);
    expect([written(), outcomes]).toEqual([['1'], {}]);
    await answer(0);
    expect([written(), outcomes]).toEqual([['1', '23'], { 1: 'kept' }]);
    await answer(1);
    expect(outcomes).toEqual({ 1: 'kept', 2: 'kept', 3: 'kept' });
    await add(4);
    expect(written()).toEqual(['1', '23', '4']);
    await answer(2);
    await clock.advance(100);
    expect([diverted, lost, vi.getTimerCount()]).toEqual([[], [], 0]);
  });
});

describe('a writer to a store that does not answer', () => {
  test('diverts everything after 50 ms of the oldest entry, what is being written and what waits', async () => {
    await add(1);
    await clock.advance(30);
    await add(2);
    await clock.advance(19);
    expect([diverted, outcomes]).toEqual([[], {}]);
    await clock.advance(1);
    expect([diverted, outcomes]).toEqual([['1', '2'], { 1: 'kept', 2: 'kept' }]);
    await answer(0);
    expect([written(), lost]).toEqual([['1'], []]);
  });

  test('diverts what comes later too, each after its own 50 ms', async () => {
    await add(1);
    await clock.advance(50);
    await add(2);
    await clock.advance(20);
    await add(3);
    await clock.advance(29);
    expect(diverted).toEqual(['1']);
    await clock.advance(1);
    expect([diverted, outcomes]).toEqual([['1', '2', '3'], { 1: 'kept', 2: 'kept', 3: 'kept' }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('refuses at once what cannot be diverted; what waits is lost then, what is being written only if it fails', async () => {
    isFull = true;
    await add(1);
    await add(2);
    await clock.advance(50);
    expect([outcomes, lost]).toEqual([{ 1: 'refused', 2: 'refused' }, [1]]);
    await answer(0, new Error('down'));
    expect([lost, written()]).toEqual([[1, 1], ['1']]);
    await add(3);
    await clock.advance(50);
    expect([outcomes[3], lost]).toEqual(['refused', [1, 1]]);
    await answer(1);
    expect(lost).toEqual([1, 1]);
  });

  test('diverts nothing twice', async () => {
    await add(1);
    await clock.advance(50);
    await answer(0, new Error('down'));
    expect([diverted, outcomes]).toEqual([['1'], { 1: 'kept' }]);
  });
});
