import type { Outcome } from '../../schema/api/recall.ts';
import { exactness } from './exactness.ts';
import type { FileMatch } from './garden-files.ts';

/** The ranked units of an answer so far, the best first, and what limits them. */
export interface RankedPlaces {
  readonly order: readonly number[];
  readonly slots: number;
  readonly budget: number;
  readonly tokensOf: (unit: number) => number;
}

/** The ranked units after one has come by files, why or why not, and which unit had its place. */
interface PlacedByFiles {
  readonly order: readonly number[];
  readonly outcome: Outcome;
  readonly displaced: number | null;
}

/**
 * Gives a unit that is about a file of the request the last ranked place, if it fits: a free one, otherwise that of the
 * last ranked unit. The best ranked unit keeps its place.
 */
export function placeByFiles(unit: number, { order, slots, budget, tokensOf }: RankedPlaces): PlacedByFiles {
  const spent = order.reduce((all, it) => all + tokensOf(it), tokensOf(unit));
  const last = order.length > 1 ? order.at(-1) : undefined;
  if (order.length < slots && spent <= budget) return { order: [...order, unit], outcome: 'files', displaced: null };
  if (last !== undefined && spent - tokensOf(last) <= budget) {
    return { order: [...order.slice(0, -1), unit], outcome: 'files', displaced: last };
  }
  const isFull = order.length >= slots && last === undefined;
  return { order, outcome: isFull ? 'over_max_chunks' : 'over_token_budget', displaced: null };
}

/**
 * The unit that comes by files.
 *
 * @param comesAlong whether one whose pattern says more than a file's ending is preferred, and is a page of its own
 */
export function chooseAbout(
  matches: ReadonlyMap<number, FileMatch>,
  comesAlong: boolean,
  ...ranking: [usable: (unit: number) => boolean, ranked: readonly number[], total: Int32Array]
): { readonly about: number | null; readonly isPage: boolean } {
  const exact = new Map([...matches].filter(([, { pattern }]) => comesAlong && exactness(pattern) > 0));
  const about = bestAbout(exact, ...ranking);
  return about === null ? { about: bestAbout(matches, ...ranking), isPage: false } : { about, isPage: true };
}

/**
 * The best of the units that are about files of the request, as they are ranked; of those without a rank the nearest,
 * whose pattern fixes the most of the path, then the one with the highest score, the first by name.
 *
 * @returns null without any that can be served
 */
export function bestAbout(
  about: ReadonlyMap<number, Pick<FileMatch, 'pattern'>>,
  usable: (unit: number) => boolean,
  ranked: readonly number[],
  total: Int32Array,
): number | null {
  if (about.size === 0) return null;
  const first = ranked.find((unit) => about.has(unit));
  if (first !== undefined) return first;
  const others = [...about.keys()].filter(usable);
  const fixed = (unit: number) => (about.get(unit)?.pattern ?? '').split(/[*?{]/)[0]?.length ?? 0;
  return others.sort((a, b) => fixed(b) - fixed(a) || (total[b] ?? 0) - (total[a] ?? 0) || a - b)[0] ?? null;
}
