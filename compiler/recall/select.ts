import type { Outcome, RecallRequest } from '../schema/api/recall.ts';
import type { Hint } from './read-hints.ts';
import type { RecallGarden } from './recall-garden.ts';
import type { Serving } from './resolve-content.ts';

/** Which units come, in which order, and why others do not. */
export interface Selection {
  readonly order: readonly number[];
  /** Of every unit that was hinted, ranked or is guaranteed. */
  readonly outcomes: ReadonlyMap<number, Outcome>;
  readonly missed: string[];
  /** Tokens that were left for ranked units. */
  readonly budget: number;
}

/** How much may come, and what was asked for by name. */
export interface Limits extends Pick<RecallRequest, 'max_chunks' | 'token_budget'> {
  readonly hints: readonly Hint[];
}

/**
 * §21.3.3, DESIGN §6.6: hints in the given order, then ranked, then guaranteed units, which stand before everything
 * where they are to be prepended; a unit comes once. Guaranteed units take their tokens off the budget before anything
 * is ranked, and no place among `max_chunks`.
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
  const owed = garden.guaranteed.filter(isUsable);
  const guaranteed = owed.filter((unit) => !hinted.includes(unit));
  const outcomes = new Map<number, Outcome>([
    ...hinted.map((unit) => [unit, 'hint'] as const),
    ...guaranteed.map((unit) => [unit, 'guaranteed'] as const),
  ]);
  const budget = token_budget - total(hinted) - total(guaranteed);
  const middle = pickRanked(max_chunks - hinted.length, budget, ranked, tokensOf, outcomes);
  const first = owed.filter((unit) => garden.facts[unit]?.delivery.force_position === 'prepend');
  // a unit appears once, in its first place
  const order = [...new Set([...first, ...hinted, ...middle, ...guaranteed])];
  const missed = hints.filter(({ unit }) => !isUsable(unit)).map(({ text }) => text);
  return { order, outcomes, missed, budget };
}

/**
 * Ranked units within what is left: the best always comes, of the rest one that does not fit is skipped
 * and the next tried. What has its outcome already is no part of it.
 */
function pickRanked(
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
