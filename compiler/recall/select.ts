import type { Outcome, RecallRequest } from '../schema/api/recall.ts';
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
}

/** The limits of a request, and its hints. */
export interface Limits extends Pick<RecallRequest, 'max_chunks' | 'token_budget'> {
  readonly hints: readonly Hint[];
}

/**
 * §21.3.3, DESIGN §6.6: hints in the given order, then ranked units, then guaranteed units; prepended ones come first. A
 * unit appears once. The tokens of guaranteed units are subtracted from the budget of ranked units, but they do not
 * count for `max_chunks`.
 */
export function select(
  garden: RecallGarden,
  { max_chunks, token_budget, hints }: Limits,
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
  const middle = selectRanked(max_chunks - hinted.length, budget, ranked, tokensOf, outcomes);
  const first = required.filter((unit) => garden.facts[unit]?.delivery.force_position === 'prepend');
  // a unit appears once, at its first position
  const order = [...new Set([...first, ...hinted, ...middle, ...guaranteed])];
  const missed = hints.filter(({ unit }) => !isUsable(unit)).map(({ text }) => text);
  return { order, outcomes, missed, budget };
}

/**
 * Selects ranked units within the budget: the best one always; of the rest, one that does not fit is skipped and the
 * next is tried. Units that already have an outcome are ignored.
 */
function selectRanked(
  slots: number,
  budget: number,
  ranked: readonly number[],
  tokensOf: (unit: number) => number,
  outcomes: Map<number, Outcome>,
): number[] {
  const order: number[] = [];
  let spent = 0;
  for (const unit of ranked) {
    if (outcomes.has(unit)) continue;
    if (order.length >= slots) {
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
