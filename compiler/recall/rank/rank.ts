import type { ScoredIndex, SearchIndex, Signal } from '../index/search-index.ts';
import { SCALE, scoreLexical } from '../signals/lexical.ts';
import { scoreGraph } from '../signals/link-graph.ts';
import { scoreSemantic } from '../signals/semantic.ts';
import { topK } from '../signals/top-k.ts';
import { confirmNames, namesIn } from './exact-names.ts';
import { leastScore } from './least-score.ts';

/** §21.3.3, in percent. */
export const WEIGHTS: Readonly<Record<Signal, number>> = { lexical: 35, semantic: 50, graph: 15 };

/** The length of the ranking; longer than `max_chunks`, because units that do not fit the budget are skipped. */
const RANKED_DEPTH = 200;

/** The scores of units for one intent, in millionths, by unit number. */
export interface Scores {
  readonly total: Int32Array;
  readonly lexical: Int32Array;
  readonly semantic: Int32Array | null;
  readonly graph: Int32Array;
  /** Units that the intent names, which come first. */
  readonly exact: ReadonlySet<number>;
  /** Whether only candidates of an approximate search were scored. */
  readonly approximate: boolean;
}

/** The signals of an index with or without vectors. */
export function signalsOf(hasVectors: boolean): Signal[] {
  return hasVectors ? ['lexical', 'semantic', 'graph'] : ['lexical', 'graph'];
}

/** The specification's weights, renormalised over the present signals; they sum to 1. */
export function weightsOf(signals: readonly Signal[]): Record<string, number> {
  const total = signals.reduce((all, signal) => all + WEIGHTS[signal], 0);
  return Object.fromEntries(signals.map((signal) => [signal, WEIGHTS[signal] / total]));
}

/** Limits the units to score. */
export interface ScoreFilter {
  /** Whether a unit may be ranked at all. */
  readonly usable: (unit: number) => boolean;
  /** Units to score in any case. */
  readonly wanted: readonly number[];
}

/** Every unit's total for one intent, in millionths; what the intent names changes none. */
export function totalsOf(index: ScoredIndex, intent: string, query: Int8Array | null): Int32Array {
  const { lexical, semantic, matched } = matchUnits(index, intent, query);
  return mixTotal(lexical, semantic, scoreGraph(index.links, matched));
}

/** The signals of every unit by itself, and both together. */
function matchUnits(index: ScoredIndex, intent: string, query: Int8Array | null) {
  const lexical = scoreLexical(index.lexical, index.terms, intent, index.names.length);
  const semantic = index.vectors && scoreSemantic(index.vectors, query);
  return { lexical, semantic, matched: mixMatched(lexical, semantic) };
}

/**
 * Scores the units of a garden for one intent; a unit's score does not depend on the ranks of others.
 *
 * @param filter if given, units that cannot be ranked have a total of zero
 */
export function scoreUnits(index: SearchIndex, intent: string, query: Int8Array | null, filter?: ScoreFilter): Scores {
  const { lexical, semantic, matched } = matchUnits(index, intent, query);
  const named = namesIn(index, intent);
  const wanted = [...(filter?.wanted ?? []), ...named.exact, ...named.rare];
  const contending = filter ? contenders(matched, semantic !== null, filter.usable) : null;
  const units = contending === null ? undefined : [...wanted, ...contending];
  const graph = scoreGraph(index.links, matched, units);
  const total = mixTotal(lexical, semantic, graph, units);
  const exact = confirmNames(named, matched, total, () => leastScore(index, query));
  return { total, lexical, semantic, graph, exact, approximate: false };
}

/** The units that could get into the first RANKED_DEPTH, even with the highest possible graph score; null for all. */
function contenders(matched: Int32Array, hasVectors: boolean, usable: (unit: number) => boolean): number[] | null {
  const last = matched.length < RANKED_DEPTH ? undefined : topK(matched, RANKED_DEPTH, usable)[RANKED_DEPTH - 1];
  if (last === undefined) return null;
  let highest = 0;
  for (const score of matched) highest = Math.max(highest, score);
  const gain = Math.ceil((WEIGHTS.graph * (highest >> 1)) / ownWeight(hasVectors));
  // minus one for rounding
  const least = (matched[last] ?? 0) - gain - 1;
  const units: number[] = [];
  for (let unit = 0; unit < matched.length; unit++) if ((matched[unit] ?? 0) >= least) units.push(unit);
  return units;
}

/** The total weight of the signals that do not depend on other units. */
function ownWeight(hasVectors: boolean): number {
  return WEIGHTS.lexical + (hasVectors ? WEIGHTS.semantic : 0);
}

/** The lexical and semantic score of each unit together, from which closeness spreads. */
export function mixMatched(lexical: Int32Array, semantic: Int32Array | null): Int32Array {
  if (semantic === null) return lexical;
  const matched = new Int32Array(lexical.length);
  const weight = ownWeight(true);
  for (let u = 0; u < matched.length; u++) {
    const sum = WEIGHTS.lexical * (lexical[u] ?? 0) + WEIGHTS.semantic * (semantic[u] ?? 0);
    matched[u] = Math.floor(sum / weight);
  }
  return matched;
}

/** The score for the ranking: the weighted mean of the present signals, in millionths. */
export function mixTotal(
  lexical: Int32Array,
  semantic: Int32Array | null,
  graph: Int32Array,
  units: Iterable<number> = lexical.keys(),
): Int32Array {
  const total = new Int32Array(lexical.length);
  const weight = ownWeight(semantic !== null) + WEIGHTS.graph;
  for (const u of units) {
    const sum =
      WEIGHTS.lexical * (lexical[u] ?? 0) + WEIGHTS.semantic * (semantic?.[u] ?? 0) + WEIGHTS.graph * (graph[u] ?? 0);
    total[u] = Math.min(SCALE, Math.floor(sum / weight));
  }
  return total;
}

/**
 * The best RANKED_DEPTH candidates: exact names first, then by score, ties by name. A unit with a score of zero is no
 * candidate.
 *
 * @param usable whether a unit may be ranked at all
 */
export function rankUnits({ total, exact }: Scores, usable: (unit: number) => boolean): number[] {
  const named = [...exact].filter(usable).sort((a, b) => (total[b] ?? 0) - (total[a] ?? 0) || a - b);
  const best = topK(total, RANKED_DEPTH, (unit) => !exact.has(unit) && usable(unit));
  return [...named, ...best].slice(0, RANKED_DEPTH);
}
