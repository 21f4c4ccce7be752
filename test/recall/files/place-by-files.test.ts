import { describe, expect, test } from 'vitest';
import { bestAbout, placeByFiles } from '../../../compiler/recall/files/place-by-files.ts';

/** Unit 9 comes by files; every unit has ten tokens. */
const placed = (order: readonly number[], slots: number, budget: number) =>
  placeByFiles(9, { order, slots, budget, tokensOf: () => 10 });

describe('the place of a unit that comes by files', () => {
  test('a unit has a free place if all tokens together are exactly the budget', () => {
    expect(placed([1], 2, 20)).toEqual({ order: [1, 9], outcome: 'files', displaced: null });
    expect(placed([], 1, 10)).toEqual({ order: [9], outcome: 'files', displaced: null });
  });

  test('a unit has no free place where one token is missing, and the best ranked unit stays', () => {
    expect(placed([1], 2, 19)).toEqual({ order: [1], outcome: 'over_token_budget', displaced: null });
  });

  test('a unit has the place of the last ranked one if it then takes exactly the budget', () => {
    expect(placed([1, 2], 2, 20)).toEqual({ order: [1, 9], outcome: 'files', displaced: 2 });
    expect(placed([1, 2], 2, 19)).toEqual({ order: [1, 2], outcome: 'over_token_budget', displaced: null });
  });

  test('a unit displaces the last ranked one where there are free places but too few tokens', () => {
    expect(placed([1, 2], 3, 29)).toEqual({ order: [1, 9], outcome: 'files', displaced: 2 });
    expect(placed([1, 2], 3, 30)).toEqual({ order: [1, 2, 9], outcome: 'files', displaced: null });
  });

  test('a unit for which there is no place beside the best ranked one is over max_chunks', () => {
    expect(placed([1], 1, 100)).toEqual({ order: [1], outcome: 'over_max_chunks', displaced: null });
    expect(placed([], 0, 100)).toEqual({ order: [], outcome: 'over_max_chunks', displaced: null });
  });
});

describe('the best of the units that are about files', () => {
  const best = (about: readonly number[], ranked: readonly number[], total: readonly number[], but?: number) =>
    bestAbout(new Map(about.map((it) => [it, null])), (unit) => unit !== but, ranked, Int32Array.from(total));

  test('is the first of the ranked ones, whatever the scores of the others', () => {
    expect(best([0, 2, 1], [3, 1, 2], [9, 1, 5, 9])).toBe(1);
  });

  test('is the one with the highest score if none is ranked, and the first by name of equal ones', () => {
    const orders = [
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ];
    expect(orders.map((it) => best(it, [], [5, 9, 5]))).toEqual([1, 1, 1, 1]);
    expect(best([2, 1, 0], [3], [5, 0, 5, 9])).toBe(0);
  });

  test('can be served, and there may be none', () => {
    expect(best([0, 1], [], [9, 5], 0)).toBe(1);
    expect(best([0], [], [9], 0)).toBeNull();
    expect(best([], [3], [0, 0, 0, 9])).toBeNull();
  });
});
