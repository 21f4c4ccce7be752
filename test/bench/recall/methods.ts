import MiniSearch from 'minisearch';
import type { IndexedUnit, SearchIndex } from '../../../compiler/recall/index/search-index.ts';
import { rankUnits, scoreUnits } from '../../../compiler/recall/rank/rank.ts';
import { SCALE } from '../../../compiler/recall/signals/lexical.ts';
import { quantise, type Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { overlapOver } from './overlap.ts';
import { indexOf } from './units.ts';

/** An intent with its vector, encoded once for all methods. */
export interface Question {
  readonly text: string;
  readonly vector: Float32Array | null;
}

/** Unit numbers, best first, with the score of the first. */
export interface Ranked {
  readonly ranking: readonly number[];
  readonly top: number;
}

/** One way of ranking units for an intent. */
export interface Method {
  readonly name: string;
  readonly rank: (question: Question) => Ranked;
}

/** All methods over the same units; without an encoder the dense one is left out. */
export async function methodsOver(units: readonly IndexedUnit[], encoder: Encoder | null): Promise<Method[]> {
  const index = await indexOf(units, encoder);
  return [
    wordOverlap(units),
    bm25(units),
    ...(index.vectors ? [dense(index)] : []),
    { ...hybrid(index), name: index.vectors ? 'hybrid' : 'hybrid, without a model' },
  ];
}

/** Encodes questions in one call. */
export async function questionsOf(texts: readonly string[], encoder: Encoder | null): Promise<Question[]> {
  const vectors = (await encoder?.encode(texts, 'query')) ?? [];
  return texts.map((text, i) => ({ text, vector: vectors[i] ?? null }));
}

/** As the reference code does, every unit is ranked, those without a common word in their own order. */
function wordOverlap(units: readonly IndexedUnit[]): Method {
  const score = overlapOver(units);
  return { name: 'word overlap', rank: ({ text }) => byScore(score(text)) };
}

/** minisearch as it is (BM25+, any word may match, no stems), triggers and descriptions boosted as in DESIGN §6.7. */
function bm25(units: readonly IndexedUnit[]): Method {
  const search = new MiniSearch({
    fields: ['triggers', 'description'],
    searchOptions: { boost: { triggers: 2, description: 1.5 } },
  });
  search.addAll(
    units.map(({ intents, keywords, description }, id) => {
      return { id, triggers: [...intents, ...keywords].join('\n'), description };
    }),
  );
  const rank = ({ text }: Question) => {
    const found = search.search(text);
    return { ranking: found.map(({ id }) => id as number), top: found[0]?.score ?? 0 };
  };
  return { name: 'BM25 (minisearch)', rank };
}

/** The semantic signal of the product, alone. */
function dense(index: SearchIndex): Method {
  const rank = (question: Question) => {
    const { semantic } = scoresFor(index, question);
    const { ranking, top } = byScore([...(semantic ?? [])]);
    return { ranking: ranking.filter((unit) => (semantic?.[unit] ?? 0) > 0), top: top / SCALE };
  };
  return { name: 'dense', rank };
}

/** The product's own scores in the product's own order. */
function hybrid(index: SearchIndex): Method {
  const rank = (question: Question) => {
    const scores = scoresFor(index, question);
    const ranking = rankUnits(scores, () => true);
    return { ranking, top: (scores.total[ranking[0] ?? -1] ?? 0) / SCALE };
  };
  return { name: 'hybrid', rank };
}

function scoresFor(index: SearchIndex, { text, vector }: Question) {
  return scoreUnits(index, text, index.vectors && quantise(vector, index.vectors.mean));
}

/** All units by score; ties in the order of the units. */
function byScore(scores: readonly number[]): Ranked {
  const ranking = scores.map((_, unit) => unit).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return { ranking, top: scores[ranking[0] ?? -1] ?? 0 };
}
