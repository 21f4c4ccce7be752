import type { SearchIndex } from '../index/search-index.ts';
import { isPhrase, queryTerms } from '../signals/terms.ts';
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
  { intent, query }: { readonly intent: string; readonly query: Int8Array | null },
): boolean {
  if (ranked.some((unit) => exact.has(unit))) return false;
  if (index.vectors !== null && query === null) return true;
  const best = ranked.reduce((most, unit) => Math.max(most, total[unit] ?? 0), 0);
  const { known, all } = index.vectors === null ? knownWords(index, intent) : { known: 1, all: 1 };
  // score × √(known ÷ all) ≥ threshold, in integers
  return best === 0 || best * best * known < index.low_confidence * index.low_confidence * all;
}

/**
 * How many words of an intent the garden knows. Without vectors a score alone says little of a garden in another
 * language than English: a pair of characters matches by chance, and the few words that match of a long intent may be
 * the ones that count.
 */
function knownWords({ lexical, terms: numbers }: SearchIndex, intent: string): { known: number; all: number } {
  if (lexical.functionWords === undefined) return { known: 1, all: 1 };
  const said = [...queryTerms(intent, lexical.functionWords, numbers)].filter((it) => !isPhrase(it));
  return { known: said.filter((it) => numbers.get(it) !== undefined).length, all: said.length };
}
