import type { IndexedUnit, SearchIndex } from '../../../compiler/recall/index/search-index.ts';
import { ranksOf, sharesOf, type Shares } from './found.ts';
import { hybrid } from './methods.ts';
import { shuffled } from './random.ts';
import { withoutPhrases, withWords, type RankingSet } from './ranking-sets.ts';
import { indexOf } from './units.ts';

/** URIs of the units that have phrases. */
type Half = ReadonlySet<string>;

/** The results of the units that have phrases, and of the others. */
export interface HalfFound {
  readonly briefed: Shares;
  readonly others: Shares;
}

/** All units of a set, by their URIs. */
const seriesIn = ({ gardens }: RankingSet) =>
  [...new Set(gardens.flatMap(({ units }) => units.map(({ series }) => series)))].sort();

/** Drawn halves, by seeds. */
export function drawnHalves(set: RankingSet, count: number): Half[] {
  const all = seriesIn(set);
  const seeds = Array.from({ length: count }, (_, i) => String(i + 1));
  return seeds.map((seed) => new Set(shuffled(all, seed).slice(0, Math.ceil(all.length / 2))));
}

/** Every other unit, and the rest. */
export function bothHalves(set: RankingSet): Half[] {
  return [0, 1].map((rest) => new Set(seriesIn(set).filter((_, at) => at % 2 === rest)));
}

/** Phrases as they are, without any deduction for their number. */
export function undeducted(index: SearchIndex): SearchIndex {
  const { vectors, lexical } = index;
  const deductions = new Int32Array(index.names.length);
  const discounts = new Uint16Array(index.names.length);
  return { ...index, lexical: { ...lexical, deductions }, vectors: vectors && { ...vectors, discounts } };
}

/**
 * Asks a set of which each half has phrases in turn; means of the halves.
 *
 * @param isBriefed whether a unit of the half has phrases, or no unit has
 */
export async function findHalves(
  set: RankingSet,
  halves: readonly Half[],
  isBriefed: boolean,
  asked = (index: SearchIndex): SearchIndex => index,
): Promise<HalfFound> {
  const parts = { briefed: [] as number[], others: [] as number[] };
  for (const half of halves) {
    const words = (it: IndexedUnit) => (isBriefed && half.has(it.series) ? it : withoutPhrases(it));
    for (const garden of withWords(set, set.name, words).gardens) {
      const index = asked(await indexOf(garden.units, garden.encoder, garden.functionWords));
      const ranks = await ranksOf(hybrid(index), garden, garden.asked);
      ranks.forEach((rank, i) => {
        const unit = garden.units.find(({ name }) => garden.asked[i]?.wanted.includes(name));
        parts[half.has(unit?.series ?? '') ? 'briefed' : 'others'].push(rank);
      });
    }
  }
  return { briefed: sharesOf(parts.briefed), others: sharesOf(parts.others) };
}
