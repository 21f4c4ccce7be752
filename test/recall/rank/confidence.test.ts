import { describe, expect, test } from 'vitest';
import type { SearchIndex } from '../../../compiler/recall/index/search-index.ts';
import { isLowConfidence } from '../../../compiler/recall/rank/confidence.ts';
import { leastScore, nearnessOf } from '../../../compiler/recall/rank/least-score.ts';
import type { Scores } from '../../../compiler/recall/rank/rank.ts';
import { layRows } from '../../../compiler/recall/signals/vector-scan.ts';

/** An index without vectors that asks for a score of 300,000 at least. */
const index = (over: object = {}) => ({ vectors: null, low_confidence: 300_000, ...over }) as unknown as SearchIndex;

const isLow = (of: SearchIndex, score: number, exact: readonly number[] = [], query: Int8Array | null = null) => {
  const scores = { total: Int32Array.of(0, score), exact: new Set(exact) } as unknown as Scores;
  return isLowConfidence(of, scores, [1, 0], query);
};

/** Vectors of one unit with one row, and of everyday prompts. */
const vectors = (...everyday: number[]) => ({
  starts: Int32Array.of(0, 1),
  rows: layRows(Int8Array.of(127, 0, ...everyday), 2),
});

describe('a low confidence', () => {
  test('is that of a best score below what the garden asks for, or of none', () => {
    expect([299_999, 300_000].map((it) => isLow(index(), it))).toEqual([true, false]);
    expect([0, 1].map((it) => isLow(index({ low_confidence: -1 }), it))).toEqual([true, false]);
  });

  test('is never that of an exact name, and always that of an intent without a vector where units have them', () => {
    expect(isLow(index(), 1, [1])).toBe(false);
    const withVectors = index({ vectors: vectors() });
    expect([isLow(withVectors, 1_000_000), isLow(withVectors, 1, [1])]).toEqual([true, false]);
  });

  test('asks for more the nearer an intent is to everyday prompts, and not for less where it is far from them', () => {
    const query = Int8Array.of(127, 0);
    const least = (...everyday: number[]) => leastScore(index({ vectors: vectors(...everyday) }), query);
    // a third of half of its cosine with one prompt that is the same, and with two
    expect([least(), least(127, 0), least(127, 0, 127, 0)]).toEqual([300_000, 466_666, 633_333]);
    expect([least(0, 127), least(-127, 0)]).toEqual([300_000, 300_000]);
    const near = index({ vectors: vectors(127, 0) });
    expect([466_665, 466_666].map((it) => isLow(near, it, [], query))).toEqual([true, false]);
  });

  test('compares an intent with the three nearest prompts', () => {
    const [one, half] = [127 * 127, 63 * 127];
    expect(nearnessOf(Int32Array.of(half, one, -one, one, one, half))).toBe(500_000);
    expect(nearnessOf(Int32Array.of(half, -one))).toBe(Math.floor((half * 1e6) / (6 * one)));
    expect(nearnessOf(Int32Array.of())).toBe(0);
  });
});
