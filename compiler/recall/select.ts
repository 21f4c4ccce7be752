import type { Outcome, ComputedRecall } from '../schema/api/recall.ts';
import { placeByFiles, type RankedPlaces } from './files/place-by-files.ts';
import type { Hint } from './read-hints.ts';
import type { RecallGarden } from './recall-garden.ts';
import type { Serving } from './resolve-content.ts';

/** The selected units in order, and why the others were not selected. */
export interface Selection {
  readonly order: readonly number[];
  /** The outcome of every unit that was hinted or ranked, or is guaranteed. */
  readonly outcomes: ReadonlyMap<number, Outcome>;
  readonly missed: string[];
  /** The token budget of ranked units. */
  readonly budget: number;
  /** The unit that would have the place of the one that came by files. */
  readonly displaced: number | null;
}

/** The limits of a request, its hints, and the best of the units that are about its files. */
export interface Limits extends Pick<ComputedRecall, 'max_chunks' | 'token_budget' | 'near_share'> {
  readonly hints: readonly Hint[];
  readonly about: number | null;
  /** Whether that unit is a page of its own, beside those of `max_chunks`. */
  readonly isPage?: boolean;
  /** The scores of units. */
  readonly total: Int32Array;
}

/**
 * §21.3.3, DESIGN §6.6: hints in the given order, then ranked units, of which one may come by files, then guaranteed
 * units; prepended ones come first. A unit appears once. The tokens of guaranteed units lower the budget of ranked
 * units, but do not count for `max_chunks`.
 */
export function select(
  garden: RecallGarden,
  { max_chunks, token_budget, hints, about, isPage = false, near_share = Infinity, total: scores }: Limits,
  { serve, absent }: Serving,
  ranked: readonly number[],
): Selection {
  const tokensOf = (unit: number) => serve(unit)?.tokens ?? 0;
  const total = (units: readonly number[]) => units.reduce((all, unit) => all + tokensOf(unit), 0);
  const isUsable = (unit: number | null): unit is number => unit !== null && !absent.has(unit);
  const hinted = [...new Set(hints.map((it) => it.unit))].filter(isUsable);
  const required = garden.guaranteed.filter(isUsable);
  const guaranteed = required.filter((unit) => !hinted.includes(unit));
  const outcomes = new Map<number, Outcome>([
    ...hinted.map((unit) => [unit, 'hint'] as const),
    ...guaranteed.map((unit) => [unit, 'guaranteed'] as const),
  ]);
  const budget = token_budget - total(hinted) - total(guaranteed);
  const slots = max_chunks - hinted.length;
  const chosen = selectRanked({ slots, budget, tokensOf }, { near_share, total: scores }, ranked, outcomes);
  const places = isPage ? chosen.length + 1 : slots;
  const { middle, displaced } = withFiles(about, { order: chosen, slots: places, budget, tokensOf }, outcomes);
  const first = required.filter((unit) => garden.facts[unit]?.delivery.force_position === 'prepend');
  // a unit appears once, at its first position
  const order = [...new Set([...first, ...hinted, ...middle, ...guaranteed])];
  const missed = hints.filter(({ unit }) => !isUsable(unit)).map(({ text }) => text);
  return { order, outcomes, missed, budget, displaced };
}

/** Pages that may come along beyond the places, each near the best. */
const MOST_NEAR = 2;

/** Least score of a unit that comes in the place of one that did not fit, in percent of the best one's. */
const REPLACING = 50;

/**
 * Selects ranked units within the budget: the best one always; of the rest, one that does not fit is skipped and the
 * next is tried if its score is not far less. Beyond the places some come that are near the best. Units that already
 * have an outcome are ignored.
 */
function selectRanked(
  { slots, budget, tokensOf }: Omit<RankedPlaces, 'order'>,
  { near_share, total }: { readonly near_share: number; readonly total: Int32Array },
  ranked: readonly number[],
  outcomes: Map<number, Outcome>,
): number[] {
  const order: number[] = [];
  let spent = 0;
  let isShort = false;
  for (const unit of ranked) {
    if (outcomes.has(unit)) continue;
    const share = (100 * (total[unit] ?? 0)) / (total[order[0] ?? unit] ?? 0);
    const places = order.length > 0 && share >= near_share ? slots + MOST_NEAR : slots;
    if (order.length >= places || (isShort && share < REPLACING)) {
      outcomes.set(unit, 'over_max_chunks');
    } else if (order.length === 0 || spent + tokensOf(unit) <= budget) {
      order.push(unit);
      outcomes.set(unit, 'ranked');
      spent += tokensOf(unit);
    } else {
      outcomes.set(unit, 'over_token_budget');
      isShort = true;
    }
  }
  return order;
}

const IN_ANSWER: ReadonlySet<Outcome | undefined> = new Set<Outcome>(['hint', 'ranked', 'guaranteed']);

/** The ranked units with the one that is about a file of the request, unless it is in the answer without that. */
function withFiles(about: number | null, places: RankedPlaces, outcomes: Map<number, Outcome>) {
  if (about === null || IN_ANSWER.has(outcomes.get(about))) return { middle: places.order, displaced: null };
  const { order, outcome, displaced } = placeByFiles(about, places);
  outcomes.set(about, outcome);
  if (displaced !== null) outcomes.set(displaced, 'displaced');
  return { middle: order, displaced };
}
