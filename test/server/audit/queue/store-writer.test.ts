import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStoreWriter, type StoreWriter } from '../../../../server/audit/queue/store-writer.ts';
import { genesis } from '../../../../server/audit/records/hash-chain.ts';
import type { AuditStore, ChainHead, SignedPoint } from '../../../../server/audit/records/store.ts';
import { sign } from '../harness.ts';
import { recalled } from '../memory-ledger.ts';
import { START } from '../records.ts';
import { fakeClock, held } from './clock.ts';

let clock: ReturnType<typeof fakeClock>;
let offered: { rows: number; answer: ReturnType<typeof held<ChainHead>> }[];
let points: SignedPoint[];
let log: string[];
let isPointRefused: boolean;

beforeEach(() => {
  clock = fakeClock();
  [offered, points, log, isPointRefused] = [[], [], [], false];
});
afterEach(() => {
  clock.end();
});

function created(isUp = true): StoreWriter {
  const store = {
    append: (entries: readonly unknown[]) => {
      const answer = held<ChainHead>();
      offered.push({ rows: entries.length, answer });
      return answer.promise;
    },
    checkpoint: (point: SignedPoint) => {
      if (isPointRefused) return Promise.reject(new Error('no'));
      points.push(point);
      return Promise.resolve();
    },
  } as unknown as AuditStore;
  const onChange = (up: boolean, error: Error | null) => log.push(`${up ? 'up' : 'down'} ${error?.message ?? ''}`);
  const onDelay = (what: string) => log.push(`delayed ${what}`);
  return createStoreWriter({ store, isUp, sign, now: () => START, onChange, onDelay }, () => {
    log.push('recovered');
    return Promise.resolve();
  });
}

const write = async (writer: StoreWriter, rows: number) => {
  void writer.write(Array.from({ length: rows }, (_, i) => recalled(i))).then(
    () => log.push(`wrote ${rows}`),
    () => log.push(`lost ${rows}`),
  );
  await clock.advance(0);
};
const answer = async (at: number, result: number | Error) => {
  if (result instanceof Error) offered[at]?.answer.reject(result);
  else offered[at]?.answer.resolve({ ...genesis('w1'), n: result });
  await clock.advance(0);
};

describe('the writer of a store', () => {
  test('writes one batch at a time, in order, whether the one before failed or not', async () => {
    const writer = created();
    await write(writer, 1);
    await write(writer, 2);
    await write(writer, 3);
    expect(offered.map((it) => it.rows)).toEqual([1]);
    await answer(0, new Error('full'));
    await answer(1, 2);
    expect(offered.map((it) => it.rows)).toEqual([1, 2, 3]);
    await answer(2, 5);
    expect(log).toEqual(['down full', 'lost 1', 'recovered', 'up ', 'wrote 2', 'wrote 3']);
  });

  test('tells each change of the store once', async () => {
    const writer = created(false);
    expect(writer.isUp()).toBe(false);
    await write(writer, 1);
    await answer(0, 2);
    expect([writer.isUp(), log]).toEqual([true, ['recovered', 'up ', 'wrote 1']]);
    writer.onError(new Error('one'));
    writer.onError(new Error('two'));
    expect([writer.isUp(), log.slice(3)]).toEqual([false, ['down one']]);
  });

  test('takes a store for down that has not answered for more than a second, while it is asked', async () => {
    const writer = created();
    await clock.advance(2000);
    expect(writer.watch()).toBe(true);
    await write(writer, 1);
    await clock.advance(1000);
    expect(writer.watch()).toBe(true);
    await clock.advance(1);
    expect([writer.watch(), writer.isUp(), log]).toEqual([false, false, ['down the store does not answer']]);
    await answer(0, 2);
    expect([writer.watch(), log.slice(1)]).toEqual([true, ['recovered', 'up ', 'wrote 1']]);
    await clock.advance(2000);
    expect(writer.watch()).toBe(true);
  });

  test('signs the head of the chain at the end, and tells a checkpoint that is not stored', async () => {
    const writer = created();
    await write(writer, 1);
    await answer(0, 2);
    isPointRefused = true;
    await writer.end();
    expect(log).toEqual(['wrote 1', 'delayed checkpoint']);
    isPointRefused = false;
    await writer.end();
    expect(points).toMatchObject([{ writer: 'w1', n: 2, at: START }]);
  });
});
