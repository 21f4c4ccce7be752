import type { ExplainedUnit } from '../../../schema/api/recall.ts';
import type { TriedRecall } from '../../../schema/api/tried-recall.ts';

/** Ranked units in their order, then the others by score. */
export function rankedUnits({ explain: { units } }: TriedRecall): ExplainedUnit[] {
  return [...units].sort(
    (a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity) || b.score - a.score || (a.name < b.name ? -1 : 1),
  );
}

/** The units of the answer, in the order in which an agent reads them. */
export function answeredUnits({ order, explain: { units } }: TriedRecall): ExplainedUnit[] {
  const named = new Map(units.map((it) => [it.name, it]));
  return order.flatMap((name) => named.get(name) ?? []);
}
