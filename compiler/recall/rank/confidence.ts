import type { SearchIndex } from '../index/search-index.ts';
import { leastScore } from './least-score.ts';
import type { Scores } from './rank.ts';

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
