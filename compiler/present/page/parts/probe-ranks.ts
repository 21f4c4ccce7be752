import type { ProbeResult } from '../../../schema/source/probe.ts';

/** The places that a probe can rank a unit at. */
export const PLACES = ['1', '2', '3', '4–10', 'lower', 'not ranked'] as const;
type RankPlace = (typeof PLACES)[number];

/** Number of probes that rank a unit at each place. */
export interface Ranks {
  readonly unit: string;
  readonly probes: number;
  readonly at: Readonly<Record<RankPlace, number>>;
}

function placeOf(rank: number | null): RankPlace {
  if (rank === null) return 'not ranked';
  if (rank <= 3) return PLACES[rank - 1] ?? '1';
  return rank <= 10 ? '4–10' : 'lower';
}

/** The ranks of every unit that a probe requires, by name. */
export function ranksOf(results: readonly ProbeResult[]): Ranks[] {
  const required = results.flatMap((it) => it.required);
  const units = [...new Set(required.map((it) => it.name))].sort();
  return units.map((unit) => {
    const own = required.filter((it) => it.name === unit).map((it) => placeOf(it.rank));
    const at = Object.fromEntries(PLACES.map((place) => [place, own.filter((it) => it === place).length]));
    return { unit, probes: own.length, at: at as Ranks['at'] };
  });
}
