import { buildIndex, type ScoredIndex, type SearchIndex } from '../../recall/index/search-index.ts';
import { totalsOf } from '../../recall/rank/rank.ts';
import type { RecallGarden } from '../../recall/recall-garden.ts';
import { quantise, type Encoder } from '../../recall/signals/semantic.ts';
import { topK } from '../../recall/signals/top-k.ts';

/** An index of a garden's texts alone, without triggers, phrases and links. */
export interface Texts {
  readonly index: ScoredIndex & Pick<SearchIndex, 'named'>;
  /** Every unit's score for an intent, in millionths. */
  readonly score: (intent: string, vector: Float32Array | null) => Int32Array;
}

/**
 * Builds the index of a garden's descriptions and contents alone.
 *
 * @param isServed whether a unit is in force; no other unit competes
 */
export async function indexTexts(
  { facts, index: { lexical } }: RecallGarden,
  encoder: Encoder | null,
  isServed: (unit: string) => boolean,
): Promise<Texts> {
  const served = facts.filter(({ name }) => isServed(name));
  const units = served.map(({ name, content, delivery }) => ({
    name,
    series: name,
    aliases: [],
    description: delivery.description,
    // the results of this index are not shown to anybody
    candidate_tokens: 1,
    headings: headingsIn(content),
    content,
    intents: [],
    keywords: [],
    task_types: [],
    phrases: [],
    links: [],
    unclosed: [],
  }));
  const functionWords = lexical.functionWords ? [...lexical.functionWords.listed] : null;
  const { scored } = await buildIndex(units, encoder, null, functionWords);
  const index = { ...scored, named: new Map(scored.names.map((name, unit) => [name, unit])) };
  const score = (intent: string, vector: Float32Array | null) =>
    totalsOf(index, intent, index.vectors && quantise(vector, index.vectors.mean));
  return { index, score };
}

/** The headings of a Markdown text. */
export function headingsIn(content: string): string[] {
  return [...content.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) => heading);
}

/** Units whose texts answer better than a unit's own, best first; at most `depth` of them, and how many there are. */
export function betterTexts(
  { index }: Texts,
  total: Int32Array,
  unit: string,
  depth: number,
): { names: string[]; count: number } {
  const scoreOf = (other: number) => total[other] ?? 0;
  const own = scoreOf(index.named.get(unit) ?? -1);
  const better: number[] = [];
  for (let other = 0; other < total.length; other++) if (scoreOf(other) > own) better.push(other);
  better.sort((a, b) => scoreOf(b) - scoreOf(a));
  return { names: better.slice(0, depth).map((it) => index.names[it] ?? ''), count: better.length };
}

/** The score of a unit's own text and those of the best other texts, best first, in millionths. */
export function leadingTexts(
  { index }: Texts,
  total: Int32Array,
  unit: string,
  depth = 3,
): { own: number; others: number[] } {
  const at = index.named.get(unit) ?? -1;
  const best = topK(total, depth, (other) => other !== at);
  return { own: total[at] ?? 0, others: best.map((other) => total[other] ?? 0) };
}
