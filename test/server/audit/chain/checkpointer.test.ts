import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCheckpointer, SEGMENT } from '../../../../server/audit/chain/checkpointer.ts';
import type { SignedPoint } from '../../../../server/audit/records/store.ts';
import { verifyEnvelope, sign } from '../harness.ts';
import { START } from '../records.ts';

let points: SignedPoint[];
let broken: boolean;
let errors: number;

beforeEach(() => {
  vi.useFakeTimers();
  [points, broken, errors] = [[], false, 0];
});
afterEach(() => {
  vi.useRealTimers();
});

const created = () =>
  createCheckpointer(
    (point) => {
      if (broken) return Promise.reject(new Error('the store is down'));
      points.push(point);
      return Promise.resolve();
    },
    sign,
    () => START,
    () => (errors += 1),
  );
const head = (n: number) => ({ writer: 'w1', n, hash: String(n).padStart(64, '0') });
const signedAt = () => points.map((it) => it.n);
const settled = () => vi.advanceTimersByTimeAsync(0);

describe('the checkpointer', () => {
  test('a checkpoint is a signed statement of the chain head', async () => {
    const checkpointer = created();
    checkpointer.saw(head(7));
    await checkpointer.end();
    expect(verifyEnvelope(points[0]?.envelope ?? '')).toEqual({ kind: 'checkpoint', ...head(7), at: START });
  });

  test('a checkpoint is signed at the end of each segment, and at shutdown', async () => {
    const checkpointer = created();
    for (let n = 1; n <= 2 * SEGMENT + 5; n += 10) {
      checkpointer.saw(head(n));
      await settled();
    }
    expect(signedAt()).toEqual([SEGMENT + 1, 2 * SEGMENT + 1]);
    checkpointer.saw(head(2 * SEGMENT + 7));
    await checkpointer.end();
    expect(signedAt().at(-1)).toBe(2 * SEGMENT + 7);
  });

  test('a checkpoint is signed each minute with new entries and no earlier, and no timer is left at the end', async () => {
    const checkpointer = created();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(signedAt()).toEqual([]);
    checkpointer.saw(head(1));
    await vi.advanceTimersByTimeAsync(59_999);
    expect(signedAt()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(signedAt()).toEqual([1]);
    await vi.advanceTimersByTimeAsync(600_000);
    await checkpointer.end();
    expect([signedAt(), vi.getTimerCount()]).toEqual([[1], 0]);
  });

  test('one checkpoint is stored at a time', async () => {
    const offered: number[] = [];
    const keep = ({ n }: SignedPoint) => {
      offered.push(n);
      return new Promise<void>((resolve) => setTimeout(resolve, 1000));
    };
    const checkpointer = createCheckpointer(
      keep,
      sign,
      () => START,
      () => (errors += 1),
    );
    for (const n of [SEGMENT, SEGMENT + 1]) checkpointer.saw(head(n));
    await settled();
    expect(offered).toEqual([SEGMENT]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(offered).toEqual([SEGMENT, SEGMENT + 1]);
  });

  test('a checkpoint that the store did not accept is signed again', async () => {
    const checkpointer = created();
    broken = true;
    checkpointer.saw(head(SEGMENT));
    await settled();
    expect([signedAt(), errors]).toEqual([[], 1]);
    broken = false;
    checkpointer.saw(head(SEGMENT + 3));
    await settled();
    expect(signedAt()).toEqual([SEGMENT + 3]);
    await checkpointer.end();
  });
});
