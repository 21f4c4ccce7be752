import { approximateSearch } from '../recall/rank/approximate-search.ts';
import { rankUnits, scoreUnits, type Scores } from '../recall/rank/rank.ts';
import type { RecallGarden } from '../recall/recall-garden.ts';
import { servingAt } from '../recall/resolve-content.ts';
import { select } from '../recall/select.ts';
import { quantise } from '../recall/signals/semantic.ts';
import { RecallRequest } from '../schema/api/recall.ts';

/** Where a unit stands among those that an intent brings up. */
export interface Placed {
  /** 1-based; null where the unit is not ranked. */
  readonly rank: number | null;
  /** Whether it comes within the default budget. */
  readonly isPicked: boolean;
  /** The first units above it, best first. */
  readonly above: readonly string[];
}

/** Asks a garden where a unit stands for an intent. */
export interface Placing {
  /** Whether the unit is in force, so that it can be asked for at all. */
  readonly isServed: (unit: string) => boolean;
  readonly place: (intent: string, vector: Float32Array | null, unit: string) => Placed;
}

/** The ranked order of a garden's units for an intent, by unit number: no hints, nothing guaranteed. */
export type Ranking = (intent: string, query: Int8Array | null) => readonly number[];

/** The ranked order with every unit's score, unlifted, in millionths. */
export interface ScoredOrder {
  readonly order: readonly number[];
  readonly total: Int32Array;
}

/** A recall's own order, exact names first, whatever the budget, lifts aside. @param now ISO 8601 */
export function openScoredOrder(
  garden: RecallGarden,
  now: string,
): (intent: string, query: Int8Array | null) => ScoredOrder {
  const { absent } = servingAt(garden, now);
  const usable = (unit: number) => !absent.has(unit);
  return (intent, query) => {
    const scores = score(garden, intent, query, usable);
    return { order: rankUnits(scores, usable), total: scores.total };
  };
}

/** The same order alone. @param now ISO 8601 */
export function openRanking(garden: RecallGarden, now: string): Ranking {
  const stand = openScoredOrder(garden, now);
  return (intent, query) => stand(intent, query).order;
}

const NOTHING_EXACT: ReadonlySet<number> = new Set();

/** How many of the units above are named. */
const NAMED = 3;

/** The ranked order alone: no hints, nothing guaranteed, no exact name (§21.8.3). */
export function openPlacing(garden: RecallGarden, now: string): Placing {
  const { index } = garden;
  const serving = servingAt(garden, now);
  const usable = (unit: number) => !serving.absent.has(unit);
  const plain = { ...garden, guaranteed: [] };
  const { max_chunks, token_budget } = RecallRequest.parse({ intent: 'any, with the default budget' });
  const limits = { max_chunks, token_budget, hints: [] };
  const isServed = (name: string) => {
    const unit = index.named.get(name);
    return unit !== undefined && usable(unit);
  };
  const place = (intent: string, vector: Float32Array | null, unit: string): Placed => {
    const query = index.vectors && quantise(vector, index.vectors.mean);
    const wanted = index.named.get(unit) ?? -1;
    const ranked = rankUnits({ ...score(garden, intent, query, usable), exact: NOTHING_EXACT }, usable);
    const at = ranked.indexOf(wanted);
    const { order } = select(plain, limits, serving, ranked);
    const above = ranked.slice(0, at < 0 ? NAMED : Math.min(at, NAMED)).map((it) => index.names[it] ?? '');
    return { rank: at < 0 ? null : at + 1, isPicked: order.includes(wanted), above };
  };
  return { isServed, place };
}

/** As a recall scores; in a garden with a graph of vectors, what its search brings up. */
function score(
  { index }: RecallGarden,
  intent: string,
  query: Int8Array | null,
  usable: (unit: number) => boolean,
): Scores {
  if (query === null || index.nearest === null) return scoreUnits(index, intent, query, { usable, wanted: [] });
  return approximateSearch(index, index.nearest, intent, query, []);
}
