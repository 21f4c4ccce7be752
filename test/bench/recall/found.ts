import type { AskedGarden, Prompt } from './asked-garden.ts';
import { bm25, hybrid, questionsOf, type Method } from './methods.ts';
import { randomNumbers } from './random.ts';
import type { RankingSet } from './ranking-sets.ts';
import { indexOf } from './units.ts';

const DEPTHS = [1, 3, 12];

/** The shares of prompts that find a wanted unit first, among 3 and among 12. */
export type Shares = readonly number[];

export interface Found {
  readonly name: string;
  readonly asked: number;
  readonly recall: Shares;
  readonly bm25: Shares;
  /** The same prompts with one that no unit serves pasted in. */
  readonly pasted: { readonly recall: Shares; readonly bm25: Shares };
}

/** Asks the gardens of a set, and a plain full-text search over the same units. */
export async function find({ name, gardens }: RankingSet): Promise<Found> {
  const ranks = { recall: [] as number[], bm25: [] as number[], pasted: [] as number[], bm25Pasted: [] as number[] };
  for (const garden of gardens) {
    const product = hybrid(await indexOf(garden.units, garden.encoder, garden.functionWords));
    const peer = bm25(garden.units, garden.functionWords);
    const pasted = pastedPrompts(garden);
    ranks.recall.push(...(await ranksOf(product, garden, garden.asked)));
    ranks.bm25.push(...(await ranksOf(peer, garden, garden.asked)));
    ranks.pasted.push(...(await ranksOf(product, garden, pasted)));
    ranks.bm25Pasted.push(...(await ranksOf(peer, garden, pasted)));
  }
  const pasted = { recall: sharesOf(ranks.pasted), bm25: sharesOf(ranks.bm25Pasted) };
  return { name, asked: ranks.recall.length, recall: sharesOf(ranks.recall), bm25: sharesOf(ranks.bm25), pasted };
}

/** For each prompt the rank of the first unit that it wants, counted from 1; Infinity if none is ranked. */
export async function ranksOf(
  { rank }: Method,
  { units, encoder }: Pick<AskedGarden, 'units' | 'encoder'>,
  prompts: readonly Prompt[],
): Promise<number[]> {
  const questions = await questionsOf(
    prompts.map(({ text }) => text),
    encoder,
  );
  return questions.map((question, i) => {
    const place = rank(question).findIndex((unit) => prompts[i]?.wanted.includes(units[unit]?.name ?? ''));
    return place < 0 ? Infinity : place + 1;
  });
}

function pastedPrompts({ asked, none }: AskedGarden): Prompt[] {
  const random = randomNumbers('pasted');
  return asked.map((it) => ({ ...it, text: `${it.text}\n\n${none[Math.floor(random() * none.length)]}` }));
}

export function sharesOf(ranks: readonly number[]): Shares {
  return DEPTHS.map((depth) => ranks.filter((rank) => rank <= depth).length / Math.max(1, ranks.length));
}

/** As figures of a table. */
export const toText = (shares: Shares): string => shares.map((it) => it.toFixed(3).replace(/^0/, '')).join(' / ');
