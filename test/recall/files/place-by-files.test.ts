import { describe, expect, test } from 'vitest';
import { bestAbout } from '../../../compiler/recall/files/place-by-files.ts';

describe('the best of the units that are about files', () => {
  const best = (about: readonly number[], ranked: readonly number[], total: readonly number[], but?: number) =>
    bestAbout(
      new Map(about.map((it) => [it, { pattern: '*.ts' }])),
      (unit) => unit !== but,
      ranked,
      Int32Array.from(total),
    );

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

  test('is the nearest if none is ranked, whatever the score', () => {
    const about = new Map(['sdk/**', 'sdk/go/**', '**/*.go'].map((pattern, unit) => [unit, { pattern }]));
    expect(bestAbout(about, () => true, [], Int32Array.from([9, 1, 9]))).toBe(1);
  });

  test('can be served, and there may be none', () => {
    expect(best([0, 1], [], [9, 5], 0)).toBe(1);
    expect(best([0], [], [9], 0)).toBeNull();
    expect(best([], [3], [0, 0, 0, 9])).toBeNull();
  });
});
