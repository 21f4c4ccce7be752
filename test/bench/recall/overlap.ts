import type { IndexedUnit } from '../../../compiler/recall/index/search-index.ts';

const DESCRIPTION = 0.4;
const TRIGGER = 0.3;
const KEYWORD = 0.2;

/**
 * Word overlap as the specification's reference code scores it: the share of the intent's words that stand in
 * the description, and in each trigger, weighted and added up; a keyword counts where the intent contains it;
 * never above 1. No stems, no stop words, no rarity.
 */
export function overlapOver(units: readonly IndexedUnit[]): (intent: string) => number[] {
  const known = units.map((unit) => ({
    description: wordsOf(unit.description),
    triggers: unit.intents.map(wordsOf),
    keywords: unit.keywords.map((it) => it.toLowerCase()),
  }));
  return (intent) => {
    const asked = wordsOf(intent);
    const text = intent.toLowerCase();
    const share = (words: ReadonlySet<string>) =>
      [...asked].filter((word) => words.has(word)).length / Math.max(1, asked.size);
    return known.map(({ description, triggers, keywords }) => {
      const matched = triggers.reduce(
        (total, words) => total + TRIGGER * share(words),
        DESCRIPTION * share(description),
      );
      return Math.min(1, matched + KEYWORD * keywords.filter((it) => text.includes(it)).length);
    });
  };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
}
