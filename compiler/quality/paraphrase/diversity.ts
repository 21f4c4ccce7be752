import { terms, words } from '../../recall/signals/lexical.ts';
import type { Diversity } from '../../schema/bundle/coverage.ts';

/**
 * How different paraphrases are from their intent and from each other: for every two texts of a set, the share of stems
 * that only one of them has; and the same for their grammar, that is, the text with all meaningful words blanked.
 */
export function measureDiversity(
  sets: readonly (readonly [intent: string, paraphrases: readonly string[]])[],
): Diversity {
  const all = sets.filter(([, paraphrases]) => paraphrases.length > 0);
  const mean = (featuresOf: (text: string) => string[]) => {
    const distances = all.map(([intent, paraphrases]) =>
      distanceWithin([intent, ...paraphrases].map((it) => new Set(featuresOf(it)))),
    );
    return distances.length === 0
      ? 0
      : Math.round((distances.reduce((a, b) => a + b, 0) / distances.length) * 10_000) / 10_000;
  };
  const blank = new Map<string, string>();
  return { words: mean((text) => terms(text, false)), syntax: mean((text) => grammarOf(text, blank)) };
}

/** Mean Jaccard distance between every two sets. */
function distanceWithin(sets: readonly ReadonlySet<string>[]): number {
  let sum = 0;
  let pairs = 0;
  sets.forEach((a, i) => {
    for (const b of sets.slice(i + 1)) {
      let both = 0;
      for (const it of a) if (b.has(it)) both += 1;
      const any = a.size + b.size - both;
      sum += any === 0 ? 0 : 1 - both / any;
      pairs += 1;
    }
  });
  return pairs === 0 ? 0 : sum / pairs;
}

/**
 * Pairs of neighbouring words; of words that carry meaning only the ending remains: `* the *ing of *s`.
 *
 * @param known what is left of each word, filled here: paraphrases repeat their words
 */
function grammarOf(text: string, known: Map<string, string>): string[] {
  const shape = words(text).map((word) => {
    const left = known.get(word) ?? blanked(word);
    known.set(word, left);
    return left;
  });
  return ['^', ...shape].map((it, i) => `${it} ${shape[i] ?? '$'}`);
}

const blanked = (word: string) =>
  terms(word, false).length === 0 ? word : `*${/(?:ing|ed|s)$/.exec(word)?.[0] ?? ''}`;
