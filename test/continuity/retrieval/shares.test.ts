import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sharesOf } from '../../../compiler/continuity/retrieval/shares.ts';
import { tokensOf } from '../../../compiler/continuity/retrieval/tokens.ts';

describe('shares of a budget', () => {
  test.each<[string, [number, number][], number, number[]]>([
    [
      'the least of each, in order',
      [
        [10, 50],
        [10, 50],
        [10, 50],
      ],
      25,
      [10, 10, 5],
    ],
    [
      'then evenly',
      [
        [10, 50],
        [10, 50],
      ],
      60,
      [30, 30],
    ],
    [
      'what does not divide goes to the first',
      [
        [0, 50],
        [0, 50],
        [0, 50],
      ],
      20,
      [7, 7, 6],
    ],
    [
      'nobody gets more than it can use',
      [
        [10, 20],
        [10, 90],
      ],
      100,
      [20, 80],
    ],
    [
      'all of it, if there is enough',
      [
        [10, 20],
        [10, 30],
      ],
      100,
      [20, 30],
    ],
    ['nobody', [], 100, []],
  ])('%s', (_words, needs, budget, shares) => {
    expect(
      sharesOf(
        needs.map(([least, most]) => ({ least, most })),
        budget,
      ),
    ).toEqual(shares);
  });

  test('property: no share shrinks as the budget grows, and together they never exceed it', () => {
    const need = fc.tuple(fc.nat(400), fc.nat(4000)).map(([least, more]) => ({ least, most: least + more }));
    fc.assert(
      fc.property(fc.array(need, { maxLength: 4 }), fc.nat(16_000), (needs, budget) => {
        const [small, large] = [sharesOf(needs, budget), sharesOf(needs, budget + 1)];
        expect(small.every((it, at) => it <= (large[at] ?? 0))).toBe(true);
        expect(small.reduce((sum, it) => sum + it, 0)).toBeLessThanOrEqual(budget);
      }),
    );
  });

  test('tokens are characters / 4, rounded up; a character beyond the sixteenth bit is one', () => {
    expect([tokensOf('ab'), tokensOf('abc'), tokensOf('🌱🌱')]).toEqual([1, 2, 1]);
  });
});
