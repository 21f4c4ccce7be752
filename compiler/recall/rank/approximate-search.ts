import type { AnnPort } from '../ann/ann-port.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { scoreLexical } from '../signals/lexical.ts';
import { reach, scoreGraph } from '../signals/link-graph.ts';
import { scoreSemanticOf } from '../signals/semantic.ts';
import { topK } from '../signals/top-k.ts';
import { exactNames, mixMatched, mixTotal, type Scores } from './rank.ts';

/** How many units the words of an intent bring up. */
const LEXICAL_DEPTH = 200;

/** How many of those brought up bring up what is linked to them. */
const LINKING_DEPTH = 50;

/** As far as closeness goes (DESIGN §6.7). */
const HOPS = 2;

/**
 * Scores those units that the graph of vectors, the words, the exact names and the links bring up, and no others.
 * Each gets exactly the score that an exhaustive search gives it.
 *
 * @param wanted units to score in any case
 */
export function approximateSearch(
  index: SearchIndex,
  nearest: AnnPort,
  intent: string,
  query: Int8Array,
  wanted: readonly number[],
): Scores {
  const { vectors, links, names } = index;
  const lexical = scoreLexical(index.lexical, index.terms, intent, names.length);
  const semantic = new Int32Array(names.length);
  if (vectors === null) throw new TypeError('a graph without its vectors');
  const scored = new Set<number>();
  const score = (units: Iterable<number>) => {
    const fresh = [...units].filter((unit) => !scored.has(unit));
    for (const unit of fresh) scored.add(unit);
    scoreSemanticOf(vectors, query, fresh, semantic);
  };
  const exact = exactNames(index, intent);
  const near = nearest.graph.search(query, nearest.pin.ef).map((point) => nearest.units[point] ?? 0);
  const found = new Set([...near, ...topK(lexical, LEXICAL_DEPTH), ...exact, ...wanted]);
  score(found);
  const matched = mixMatched(lexical, semantic);
  const linking = topK(matched, LINKING_DEPTH, (unit) => found.has(unit));
  const candidates = new Set([...found, ...reach(links, linking, 1)]);
  // what a candidate is close to must have its score as well
  score(reach(links, candidates, HOPS));
  const graph = scoreGraph(links, mixMatched(lexical, semantic), candidates);
  const total = mixTotal(lexical, semantic, graph, candidates);
  return { total, lexical, semantic, graph, exact, approximate: true };
}
