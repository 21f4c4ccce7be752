import type { SearchIndex } from '../index/search-index.ts';
import { SCALE } from '../signals/lexical.ts';
import { INT8 } from '../signals/semantic.ts';
import { topK } from '../signals/top-k.ts';

/** The number of everyday prompts that an intent is compared with, and the weight of its mean cosine with them. */
const NEAREST = 3;
const WEIGHT = 0.5;

/** The constants by which an answer is of low confidence. */
export const CONFIDENCE = { nearest: NEAREST, weight: WEIGHT };

/**
 * The best score from which on an intent is answered with confidence, in millionths: the nearer an intent is to what
 * people ask of agents all day, the higher.
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

/**
 * The part of that score which comes from an intent's products with everyday prompts, in millionths.
 *
 * @param counts whether a prompt counts, by its row; by default all do
 */
export function nearnessOf(products: Int32Array, counts?: (row: number) => boolean): number {
  const sum = topK(products, NEAREST, counts).reduce((all, row) => all + (products[row] ?? 0), 0);
  return Math.floor((WEIGHT * SCALE * sum) / (NEAREST * INT8 * INT8));
}
