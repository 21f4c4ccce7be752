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
export interface Limits extends Pick<ComputedRecall, 'max_chunks' | 'token_budget'> {
  readonly hints: readonly Hint[];
  readonly about: number | null;
  /** Whether that unit is a page of its own, beside those of `max_chunks`. */
  readonly isPage?: boolean;
  /** Whether a ranked unit comes along with the first one, beyond `max_chunks`. */
  readonly isNear?: (first: number, unit: number) => boolean;
}

/**
 * §21.3.3, DESIGN §6.6: hints in the given order, then ranked units, of which one may come by files, then guaranteed
 * units; prepended ones come first. A unit appears once. The tokens of guaranteed units lower the budget of ranked
 * units, but do not count for `max_chunks`.
 */
export function select(
  garden: RecallGarden,
  { max_chunks, token_budget, hints, about, isPage = false, isNear = () => false }: Limits,
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
  const chosen = selectRanked({ slots, budget, tokensOf }, isNear, ranked, outcomes);
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

/**
 * Selects ranked units within the budget: the best one always; of the rest, one that does not fit is skipped and the
 * next is tried. Beyond the places some come that are near the best. Units that already have an outcome are ignored.
 */
function selectRanked(
  { slots, budget, tokensOf }: Omit<RankedPlaces, 'order'>,
  isNear: NonNullable<Limits['isNear']>,
  ranked: readonly number[],
  outcomes: Map<number, Outcome>,
): number[] {
  const order: number[] = [];
  let spent = 0;
  for (const unit of ranked) {
    if (outcomes.has(unit)) continue;
    const [first] = order;
    const places = first !== undefined && isNear(first, unit) ? slots + MOST_NEAR : slots;
    if (order.length >= places) {
      outcomes.set(unit, 'over_max_chunks');
    } else if (order.length === 0 || spent + tokensOf(unit) <= budget) {
      order.push(unit);
      outcomes.set(unit, 'ranked');
      spent += tokensOf(unit);
    } else {
      outcomes.set(unit, 'over_token_budget');
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
