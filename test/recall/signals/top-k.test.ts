import fc from 'fast-check';
import { expect, test } from 'vitest';
import { topK } from '../../../compiler/recall/signals/top-k.ts';

const scores = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 1_000_000 })), {
  maxLength: 300,
  // not the ten or so that fast-check draws otherwise: a heap has to be deep
  size: 'max',
});

test('topK gives the first ones of a full sort, equal scores by number', () => {
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 4 }), (all, depth, every) => {
      const usable = (number: number) => number % every === 0;
      const sorted = [...all.keys()]
        .filter((it) => all[it]! > 0 && usable(it))
        .sort((a, b) => all[b]! - all[a]! || a - b);
      expect(topK(Int32Array.from(all), depth, usable)).toEqual(sorted.slice(0, depth));
    }),
  );
});

test('topK asks only for high enough scores whether they are usable', () => {
  const asked: number[] = [];
  const usable = (number: number) => asked.push(number) > 0;
  expect(topK(Int32Array.from([5, 1, 0, 9, 2]), 1, usable)).toEqual([3]);
  expect(asked).toEqual([0, 3]);
});
