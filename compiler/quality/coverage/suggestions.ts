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
  const weightOf = (word: string) => {
    const t = index.terms.get(terms(word, false)[0] ?? '');
    return t === undefined ? index.lexical.unknown_idf : (index.lexical.idf[t] ?? 0);
  };
  return ({ intents, description }, misses) => {
    const known = new Set(intents.flatMap((it) => terms(it, false)));
    const counts = new Map<string, number>();
    const count = (text: string, by: number) => {
      for (const word of new Set(words(text))) {
        const [stem] = terms(word, false);
        if (stem === undefined || known.has(stem) || FRAME_WORDS.has(word) || word.length < 3) continue;
        counts.set(word, (counts.get(word) ?? 0) + by);
      }
    };
    for (const { paraphrase } of misses) count(paraphrase, 1);
    count(description, 1);
    const rate = (word: string) => (counts.get(word) ?? 0) * weightOf(word);
    return [...counts.keys()].sort((a, b) => rate(b) - rate(a) || (a < b ? -1 : 1)).slice(0, MAX_SUGGESTED);
  };
}
