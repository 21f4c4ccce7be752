import type { GraphPin } from './ann-port.ts';

/**
 * The cost of a search of a graph, in rows that an exhaustive scan multiplies in the same time: a share for every
 * query, and one for each unit of the pinned breadth (test/bench/recall/crossover.bench.ts).
 */
const ROWS_PER_QUERY = 5_000;
const ROWS_PER_BREADTH = 170;

/**
 * From how many vectors on queries use a garden's graph: from there on it is quicker than the exact scan. The more
 * alike its texts are, the broader a search has to be. Pinned in the bundle, so that every reader decides alike.
 */
export function graphRows(pin: Pick<GraphPin, 'ef'> | null): number {
  return ROWS_PER_QUERY + ROWS_PER_BREADTH * (pin?.ef ?? 0);
}
