import type { Outcome, RecallRequest } from '../model/recall.ts';
import type { RecallGarden } from './garden.ts';
import type { Serving } from './serve.ts';

/** Which units come, in which order, and why others do not. */
export interface Picked {
  readonly order: readonly number[];
  /** Of every unit that was hinted, ranked or is guaranteed. */
  readonly outcomes: ReadonlyMap<number, Outcome>;
  readonly missed: string[];
  /** Tokens that were left for ranked units. */
  readonly budget: number;
}

/** DESIGN §6.6: hints in the given order, then ranked, then guaranteed; a unit once, in its first place. */
export function pick(
  garden: RecallGarden,
  request: RecallRequest,
  { serve, absent }: Serving,
  ranked: readonly number[],
): Picked {
  const outcomes = new Map<number, Outcome>();
  const tokensOf = (unit: number) => serve(unit)?.tokens ?? 0;
  const total = (units: readonly number[]) => units.reduce((all, unit) => all + tokensOf(unit), 0);
  const usable = (name: string) => {
    const unit = garden.index.named.get(name);
    return unit !== undefined && !absent.has(unit) ? unit : null;
  };
  const hints = [...new Set(request.manifest_hint.map(usable))].filter((unit) => unit !== null);
  for (const unit of hints) outcomes.set(unit, 'hint');
  const owed = garden.guaranteed.filter((unit) => !absent.has(unit));
  const guaranteed = owed.filter((unit) => !outcomes.has(unit));
  const isGuaranteed = new Set(guaranteed);
  const budget = request.token_budget - total(hints) - total(guaranteed);
  const middle = pickRanked(request.max_chunks - hints.length, budget, ranked, isGuaranteed, tokensOf, outcomes);
  for (const unit of guaranteed) outcomes.set(unit, 'guaranteed');
  const first = owed.filter((unit) => garden.facts[unit]?.delivery.force_position === 'prepend');
  // a unit appears once, in its first place
  const order = [...new Set([...first, ...hints, ...middle, ...guaranteed])];
  const missed = request.manifest_hint.filter((name) => usable(name) === null);
  return { order, outcomes, missed, budget };
}

/**
 * Ranked units within what is left: the best always comes, of the rest one that does not fit is skipped
 * and the next tried. A guaranteed unit keeps its rank's place but takes neither slot nor budget.
 */
function pickRanked(
  slots: number,
  budget: number,
  ranked: readonly number[],
  guaranteed: ReadonlySet<number>,
  tokensOf: (unit: number) => number,
  outcomes: Map<number, Outcome>,
): number[] {
  const order: number[] = [];
  let taken = 0;
  let spent = 0;
  for (const unit of ranked) {
    if (outcomes.has(unit)) continue;
    if (taken >= slots) {
      outcomes.set(unit, 'over_max_chunks');
    } else if (guaranteed.has(unit)) {
      order.push(unit);
    } else if (taken === 0 || spent + tokensOf(unit) <= budget) {
      order.push(unit);
      outcomes.set(unit, 'ranked');
      taken += 1;
      spent += tokensOf(unit);
    } else {
      outcomes.set(unit, 'over_token_budget');
    }
  }
  return order;
}
