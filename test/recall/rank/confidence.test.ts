import { describe, expect, test } from 'vitest';
import type { SearchIndex } from '../../../compiler/recall/index/search-index.ts';
import { isLowConfidence } from '../../../compiler/recall/rank/confidence.ts';
import type { Scores } from '../../../compiler/recall/rank/rank.ts';
import { functionWordsFrom } from '../../../compiler/recall/signals/terms.ts';

/** An index without vectors that knows two words, and asks for a score of 300,000 at least. */
const index = (functionWords?: readonly string[], over: object = {}) =>
  ({
    lexical: functionWords ? { functionWords: functionWordsFrom(functionWords) } : {},
    terms: new Map(['apfel', 'birn'].map((it, at) => [it, at])),
    vectors: null,
    low_confidence: 300_000,
    ...over,
  }) as unknown as SearchIndex;

const isLow = (of: SearchIndex, score: number, intent: string, exact: readonly number[] = []) => {
  const scores = { total: Int32Array.of(0, score), exact: new Set(exact) } as unknown as Scores;
  return isLowConfidence(of, scores, [1, 0], { intent, query: null });
};

describe('a low confidence', () => {
  test('is that of a best score below what the garden asks for, or of none', () => {
    expect([299_999, 300_000].map((it) => isLow(index(), it, 'apfel'))).toEqual([true, false]);
    expect(isLow(index(undefined, { low_confidence: 0 }), 0, 'apfel')).toBe(true);
  });

  test('goes by the share of the words that the garden knows, where it lists function words', () => {
    const german = index(['der']);
    expect(isLow(german, 300_000, 'der apfel')).toBe(false);
    // one word of four: half of the score counts
    const quarter = 'der apfel xaver yvonne zander';
    expect([599_999, 600_000].map((it) => isLow(german, it, quarter))).toEqual([true, false]);
    expect(isLow(index(), 300_000, quarter)).toBe(false);
  });

  test('is never that of an exact name, and always that of an intent without a vector where units have them', () => {
    expect(isLow(index(), 1, 'apfel', [1])).toBe(false);
    const withVectors = index(undefined, { vectors: {} });
    expect([isLow(withVectors, 1_000_000, 'apfel'), isLow(withVectors, 1, 'apfel', [1])]).toEqual([true, false]);
  });
});
