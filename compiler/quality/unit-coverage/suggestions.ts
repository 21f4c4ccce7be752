import type { RecallGarden } from '../../recall/recall-garden.ts';
import { terms, words } from '../../recall/signals/lexical.ts';
import { spelledWords } from '../../recall/signals/words.ts';
import { MAX_SUGGESTED } from '../../schema/bundle/coverage.ts';
import { FRAMES } from '../paraphrase/frames.ts';
import type { JudgedUnit } from './judged-unit.ts';

/** Proposes words for a unit's triggers. */
export type Suggest = (unit: JudgedUnit) => string[];

/** Words of sentence frames: they carry no meaning of their own. */
const FRAME_WORDS = new Set(FRAMES.flatMap(({ text }) => words(text)));

/** Weight of a word of each text: a person chose the description's words to say what the unit is for. */
const DESCRIPTION = 2;
const CONTENT = 1;

/** Code is no language of people. */
const CODE = /```[^]*?(?:```|$)|`[^`\n]*`/g;

/** A contraction is two words, and neither half of it is one that a person says alone: "hasn’t". */
const CONTRACTIONS = /\p{L}+n['’]t\b/giu;

/** A word that a person says: letters only, and at least three of them. */
const SPOKEN = /^(?:\p{L}\p{M}*){3,}$/u;

/**
 * Words of the unit's own description and content that its triggers lack: words that few units have come first. Never
 * words of a paraphrase, which a program made, and never the unit's name, which finds it anyway.
 */
export function createSuggest({ index, facts }: RecallGarden): Suggest {
  const { lexical } = index;
  const weightOf = (stem: string) => {
    const t = index.terms.get(stem);
    return t === undefined ? lexical.unknown_idf : (lexical.idf[t] ?? 0);
  };
  return ({ name, intents, description }) => {
    const content = facts[index.named.get(name) ?? -1]?.content.replace(CODE, ' ') ?? '';
    const known = new Set([name, ...intents].flatMap((it) => terms(it, false, lexical.functionWords)));
    const rates = new Map<string, { word: string; rate: number }>();
    for (const [text, factor] of [[description, DESCRIPTION] as const, [content, CONTENT] as const]) {
      for (const word of new Set(spelledWords(text.replace(CONTRACTIONS, ' ')).lower)) {
        const [stem] = terms(word, false, lexical.functionWords);
        if (stem === undefined || known.has(stem) || FRAME_WORDS.has(word) || !SPOKEN.test(word)) continue;
        if (!rates.has(stem)) rates.set(stem, { word, rate: factor * weightOf(stem) });
      }
    }
    const best = [...rates.values()].sort((a, b) => b.rate - a.rate || (a.word < b.word ? -1 : 1));
    return best.slice(0, MAX_SUGGESTED).map(({ word }) => word);
  };
}
