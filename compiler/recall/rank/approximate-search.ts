import type { AnnPort } from '../ann/ann-port.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { scoreLexical } from '../signals/lexical.ts';
import { reach, scoreGraph } from '../signals/link-graph.ts';
import { scoreSemanticOf } from '../signals/semantic.ts';
import { topK } from '../signals/top-k.ts';
import { confirmNames, namesIn } from './exact-names.ts';
import { leastScore } from './least-score.ts';
import { mixMatched, mixTotal, type Scores } from './rank.ts';

/** Number of candidates from the lexical signal. */
const LEXICAL_DEPTH = 200;

/** Of how many of the best candidates the linked units become candidates too. */
const LINKING_DEPTH = 50;

/** The reach of closeness in hops (DESIGN §6.7). */
const HOPS = 2;

/**
 * Scores only candidates, which come from the ANN graph, the lexical signal, exact names and links. Each gets exactly
 * the same score as in an exhaustive search.
 *
 * @param wanted units to score in any case
 */
export function approximateSearch(
  index: SearchIndex,
  ann: AnnPort,
  intent: string,
  query: Int8Array,
  wanted: readonly number[],
): Scores {
  const { vectors, links, names } = index;
  const lexical = scoreLexical(index.lexical, index.terms, intent, names.length);
  const semantic = new Int32Array(names.length);
  if (vectors === null) throw new TypeError('an ANN graph without vectors');
  const scored = new Set<number>();
  const score = (units: Iterable<number>) => {
    const fresh = [...units].filter((unit) => !scored.has(unit));
    for (const unit of fresh) scored.add(unit);
    scoreSemanticOf(vectors, query, fresh, semantic);
  };
  const named = namesIn(index, intent);
  const near = ann.graph.search(query, ann.pin.ef).map((point) => ann.units[point] ?? 0);
  const found = new Set([...near, ...topK(lexical, LEXICAL_DEPTH), ...named.exact, ...named.rare, ...wanted]);
  score(found);
  const matched = mixMatched(lexical, semantic);
  const linking = topK(matched, LINKING_DEPTH, (unit) => found.has(unit));
  const candidates = new Set([...found, ...reach(links, linking, 1)]);
  // closeness depends on the scores of the neighbours, so these are scored too
  score(reach(links, candidates, HOPS));
  const known = mixMatched(lexical, semantic);
  const graph = scoreGraph(links, known, candidates);
  const total = mixTotal(lexical, semantic, graph, candidates);
  const exact = confirmNames(named, known, total, () => leastScore(index, query));
  return { total, lexical, semantic, graph, exact, approximate: true };
}
