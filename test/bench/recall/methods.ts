import MiniSearch from 'minisearch';
import type { IndexedUnit, SearchIndex } from '../../../compiler/recall/index/search-index.ts';
import { rankUnits, scoreUnits } from '../../../compiler/recall/rank/rank.ts';
import { quantise, type Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { ENGLISH_WORDS, functionWordsFrom, terms } from '../../../compiler/recall/signals/terms.ts';
import { topK } from '../../../compiler/recall/signals/top-k.ts';

/** An intent with its vector, encoded once for all methods. */
export interface Question {
  readonly text: string;
  readonly vector: Float32Array | null;
}

/** One way of ranking units for an intent. */
export interface Method {
  readonly name: string;
  /** Unit numbers, best first. */
  readonly rank: (question: Question) => readonly number[];
}

/** Encodes questions in one call. */
export async function questionsOf(texts: readonly string[], encoder: Encoder | null): Promise<Question[]> {
  const vectors = (await encoder?.encode(texts, 'query')) ?? [];
  return texts.map((text, i) => ({ text, vector: vectors[i] ?? null }));
}

/**
 * BM25 of minisearch over everything that a unit has, with the product's own words, so without function words and
 * endings. The constants, and one field, were the best of forty settings over eight sets of `ranking.bench.ts`.
 */
export function bm25(units: readonly IndexedUnit[], functionWords: readonly string[] | null = null): Method {
  const language = functionWords === null ? ENGLISH_WORDS : functionWordsFrom(functionWords);
  const search = new MiniSearch({
    fields: ['text'],
    tokenize: (text) => terms(text, false, language),
    processTerm: (term) => term,
    searchOptions: { bm25: { k: 3, b: 0.85, d: 0 } },
  });
  search.addAll(
    units.map(({ name, description, intents, keywords, phrases, content }, id) => {
      const said = [...intents, ...keywords, ...phrases];
      return { id, text: [name.replaceAll('-', ' '), description, ...said, content].join('\n') };
    }),
  );
  return { name: 'BM25', rank: ({ text }) => search.search(text).map(({ id }) => id as number) };
}

/** The semantic signal of the product, alone. */
export function dense(index: SearchIndex): Method {
  const rank = (question: Question) => {
    const { semantic } = scoresFor(index, question);
    return semantic === null ? [] : topK(semantic, semantic.length);
  };
  return { name: 'dense', rank };
}

/** The product's own scores in the product's own order. */
export function hybrid(index: SearchIndex): Method {
  return { name: 'hybrid', rank: (question) => rankUnits(scoresFor(index, question), () => true) };
}

function scoresFor(index: SearchIndex, { text, vector }: Question) {
  return scoreUnits(index, text, index.vectors && quantise(vector, index.vectors.mean));
}
