import type { RecallGarden } from '../../recall/recall-garden.ts';
import { terms, words } from '../../recall/signals/lexical.ts';
import { MAX_SUGGESTED, type Miss } from '../../schema/bundle/coverage.ts';
import { FRAMES } from '../paraphrase/frames.ts';
import type { JudgedUnit } from './judged-unit.ts';

/** Proposes words for a unit's triggers. */
export type Suggest = (unit: JudgedUnit, misses: readonly Miss[]) => string[];

/** Words of sentence frames: they carry no meaning of their own. */
const FRAME_WORDS = new Set(FRAMES.flatMap(({ text }) => words(text)));

/**
 * Words that the missed paraphrases use, or the unit's description, and that the unit's triggers do not have: frequent
 * words first, and words that few units have.
 */
export function createSuggest({ index }: RecallGarden): Suggest {
  const weightOf = (stem: string) => {
    const t = index.terms.get(stem);
    return t === undefined ? index.lexical.unknown_idf : (index.lexical.idf[t] ?? 0);
  };
  return ({ intents, description }, misses) => {
    const known = new Set(intents.flatMap((it) => terms(it, false)));
    const rates = new Map<string, number>();
    for (const text of [...misses.map(({ paraphrase }) => paraphrase), description]) {
      for (const word of new Set(words(text))) {
        const [stem] = terms(word, false);
        if (stem === undefined || known.has(stem) || FRAME_WORDS.has(word) || word.length < 3) continue;
        rates.set(word, (rates.get(word) ?? 0) + weightOf(stem));
      }
    }
    const best = [...rates].sort(([a, rate], [b, other]) => other - rate || (a < b ? -1 : 1));
    return best.slice(0, MAX_SUGGESTED).map(([word]) => word);
  };
}
