import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openCheckpointer, SEGMENT } from '../../../../server/audit/chain/checkpointer.ts';
import type { SignedPoint } from '../../../../server/audit/records/store.ts';
import { prove, seal } from '../harness.ts';
import { START } from '../records.ts';

let points: SignedPoint[];
let broken: boolean;
let told: number;

beforeEach(() => {
  vi.useFakeTimers();
  [points, broken, told] = [[], false, 0];
});
afterEach(() => {
  vi.useRealTimers();
});

const opened = () =>
  openCheckpointer(
    (point) => {
      if (broken) return Promise.reject(new Error('the store is down'));
      points.push(point);
      return Promise.resolve();
    },
    seal,
    () => START,
    () => (told += 1),
  );
const head = (n: number) => ({ writer: 'w1', n, hash: String(n).padStart(64, '0') });
const signedAt = () => points.map((it) => it.n);
const settled = () => vi.advanceTimersByTimeAsync(0);

describe('a checkpoint', () => {
  test('says where the chain is, signed', async () => {
    const checkpointer = opened();
    checkpointer.saw(head(7));
    await checkpointer.end();
    expect(prove(points[0]?.envelope ?? '')).toEqual({ kind: 'checkpoint', ...head(7), at: START });
  });

  test('is made at the end of each segment, and at the end', async () => {
    const checkpointer = opened();
    for (let n = 1; n <= 2 * SEGMENT + 5; n += 10) {
      checkpointer.saw(head(n));
      await settled();
    }
    expect(signedAt()).toEqual([SEGMENT + 1, 2 * SEGMENT + 1]);
    checkpointer.saw(head(2 * SEGMENT + 7));
    await checkpointer.end();
    expect(signedAt().at(-1)).toBe(2 * SEGMENT + 7);
  });

  test('comes a minute after the last entry at the latest, and none where nothing was added', async () => {
    const checkpointer = opened();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(signedAt()).toEqual([]);
    checkpointer.saw(head(1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(signedAt()).toEqual([1]);
    await vi.advanceTimersByTimeAsync(600_000);
    await checkpointer.end();
    expect(signedAt()).toEqual([1]);
  });

  test('that the store did not take is made again', async () => {
    const checkpointer = opened();
    broken = true;
    checkpointer.saw(head(SEGMENT));
    await settled();
    expect([signedAt(), told]).toEqual([[], 1]);
    broken = false;
    checkpointer.saw(head(SEGMENT + 3));
    await settled();
    expect(signedAt()).toEqual([SEGMENT + 3]);
    await checkpointer.end();
  });
});
