import type { SearchIndex } from '../index/search-index.ts';
import { SCALE } from '../signals/lexical.ts';
import { INT8 } from '../signals/semantic.ts';
import type { Scores } from './rank.ts';

/** How many of the everyday prompts an intent is compared with, and what its mean cosine with them counts. */
const NEAREST = 3;
const WEIGHT = 0.5;

/** The constants by which an answer is of low confidence. */
export const CONFIDENCE = { nearest: NEAREST, weight: WEIGHT };

/**
 * Whether the best score, without boosts, is low, or the encoder knows nothing of the intent; an exact name is always
 * confident.
 *
 * @param ranked the units that can be served, best first
 */
export function isLowConfidence(
  index: SearchIndex,
  { total, exact }: Scores,
  ranked: readonly number[],
  query: Int8Array | null,
): boolean {
  if (ranked.some((unit) => exact.has(unit))) return false;
  if (index.vectors !== null && query === null) return true;
  const best = ranked.reduce((most, unit) => Math.max(most, total[unit] ?? 0), 0);
  return best === 0 || best < leastScore(index, query);
}

/**
 * The best score from which on an intent is answered with confidence, in millionths: the nearer it is to what people ask
 * of agents all day, the more it needs.
 */
export function leastScore(
  { vectors, low_confidence }: Pick<SearchIndex, 'vectors' | 'low_confidence'>,
  query: Int8Array | null,
): number {
  if (vectors === null || query === null) return low_confidence;
  const { rows, starts } = vectors;
  const units = starts.at(-1) ?? 0;
  return low_confidence + nearnessOf(rows.scannerFor(query)(units, rows.count).subarray(units, rows.count));
}

/** What an intent's products with everyday prompts add to the score that it needs, in millionths. */
export function nearnessOf(products: Int32Array): number {
  const nearest = products.slice().sort().reverse().subarray(0, NEAREST);
  const sum = nearest.reduce((all, product) => all + Math.max(0, product), 0);
  return Math.floor((WEIGHT * SCALE * sum) / (NEAREST * INT8 * INT8));
}
