import { approximateSearch } from '../recall/rank/approximate-search.ts';
import { rankUnits, scoreUnits, type Scores } from '../recall/rank/rank.ts';
import type { RecallGarden } from '../recall/recall-garden.ts';
import { servingAt } from '../recall/resolve-content.ts';
import { select } from '../recall/select.ts';
import { RecallRequest } from '../schema/api/recall.ts';

/** The place of a unit in the ranked order for an intent. */
export interface Placement {
  /** 1-based; null if the unit is not ranked. */
  readonly rank: number | null;
  /** Whether it is selected within the default budget. */
  readonly isSelected: boolean;
  /** The first units above it, best first. */
  readonly above: readonly string[];
  /** The best other units with their scores in millionths, best first. */
  readonly rivals: readonly { readonly name: string; readonly score: number }[];
  /** The unit's closeness to strong matches, in millionths. */
  readonly graph: number;
}

/** Finds the place of a unit for an intent. */
export interface Placer {
  /** Whether the unit is in force: other units are never ranked. */
  readonly isServed: (unit: string) => boolean;
  readonly place: (intent: string, query: Int8Array | null, unit: string) => Placement;
}

/** The ranked order of a garden's units for an intent, by unit number, without hints and guaranteed units. */
export type Ranking = (intent: string, query: Int8Array | null) => readonly number[];

/** The ranked order with every unit's score, without boost, in millionths. */
export interface ScoredOrder {
  readonly order: readonly number[];
  readonly total: Int32Array;
}

/** The order of a recall without budget and boost: exact names first. @param now ISO 8601 */
export function createScoredRanking(
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

/** The same order, without the scores. @param now ISO 8601 */
export function createRanking(garden: RecallGarden, now: string): Ranking {
  const rank = createScoredRanking(garden, now);
  return (intent, query) => rank(intent, query).order;
}

const NOTHING_EXACT: ReadonlySet<number> = new Set();

/** Maximum numbers of the units above, and of the other units, that are reported. */
const NAMED = 3;

/** Places units by the ranked order alone: no hints, no files, nothing guaranteed, no exact name (§21.8.3). */
export function createPlacer(garden: RecallGarden, now: string): Placer {
  const { index } = garden;
  const serving = servingAt(garden, now);
  const usable = (unit: number) => !serving.absent.has(unit);
  const plain = { ...garden, guaranteed: [] };
  const { max_chunks, token_budget } = RecallRequest.parse({ intent: 'any, with the default budget' });
  const limits = { max_chunks, token_budget, hints: [], about: null };
  const isServed = (name: string) => {
    const unit = index.named.get(name);
    return unit !== undefined && usable(unit);
  };
  const place = (intent: string, query: Int8Array | null, unit: string): Placement => {
    const wanted = index.named.get(unit) ?? -1;
    const scores = score(garden, intent, query, usable);
    const ranked = rankUnits({ ...scores, exact: NOTHING_EXACT }, usable);
    const at = ranked.indexOf(wanted);
    const { order } = select(plain, { ...limits, total: scores.total }, serving, ranked);
    const above = ranked.slice(0, at < 0 ? NAMED : Math.min(at, NAMED)).map((it) => index.names[it] ?? '');
    const others = ranked.slice(0, NAMED + 1).filter((it) => it !== wanted);
    const rivals = others.slice(0, NAMED).map((it) => ({ name: index.names[it] ?? '', score: scores.total[it] ?? 0 }));
    const graph = scores.graph[wanted] ?? 0;
    return { rank: at < 0 ? null : at + 1, isSelected: order.includes(wanted), above, rivals, graph };
  };
  return { isServed, place };
}

/** Scores as a recall does; a garden with an ANN graph scores only the candidates of the approximate search. */
function score(
  { index }: RecallGarden,
  intent: string,
  query: Int8Array | null,
  usable: (unit: number) => boolean,
): Scores {
  if (query === null || index.ann === null) return scoreUnits(index, intent, query, { usable, wanted: [] });
  return approximateSearch(index, index.ann, intent, query, []);
}
