import { terms } from '../recall/signals/lexical.ts';
import { byText } from '../trust/canonical.ts';
import type { Neighbour } from './brief.ts';

/** Maximum number of units that an outline names: about 6,000 tokens. */
export const MOST_NEIGHBOURS = 200;

/**
 * The units that a writer has to distinguish these from: all of the garden; of a large one those whose names and
 * descriptions share the most words with them.
 */
export function outlineOf(units: readonly Neighbour[], own: readonly Neighbour[]): readonly Neighbour[] {
  const sorted = [...units].sort((a, b) => byText(a.name, b.name));
  if (sorted.length <= MOST_NEIGHBOURS) return sorted;
  const wanted = new Set(own.flatMap(wordsOf));
  const common = new Map(sorted.map((it) => [it, new Set(wordsOf(it).filter((word) => wanted.has(word))).size]));
  const nearest = [...sorted].sort((a, b) => (common.get(b) ?? 0) - (common.get(a) ?? 0));
  const kept = new Set(nearest.slice(0, MOST_NEIGHBOURS));
  return sorted.filter((it) => kept.has(it));
}

function wordsOf({ name, description }: Neighbour): string[] {
  return terms(`${name.replaceAll('-', ' ')} ${description}`, false);
}
