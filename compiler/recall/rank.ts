import { parseUri, seriesUri } from '../model/uri.ts';
import { scoreGraph } from './graph.ts';
import { SCALE, scoreLexical } from './lexical.ts';
import { scoreSemantic } from './semantic.ts';
import type { SearchIndex, Signal } from './searchindex.ts';

/** §21.3.3, in percent. */
const WEIGHTS: Readonly<Record<Signal, number>> = { lexical: 35, semantic: 50, graph: 15 };

/** Every unit's scores for one intent, in millionths, by unit number. */
export interface Scores {
  readonly total: Int32Array;
  readonly lexical: Int32Array;
  readonly semantic: Int32Array | null;
  readonly graph: Int32Array;
  readonly exact: ReadonlySet<number>;
}

/** The signals of an index with, or without, vectors. */
export function signalsOf(hasVectors: boolean): Signal[] {
  return hasVectors ? ['lexical', 'semantic', 'graph'] : ['lexical', 'graph'];
}

/** The weights in force: the specification's, renormalised over the signals there are; they sum to 1. */
export function weightsOf(signals: readonly Signal[]): Record<string, number> {
  const total = signals.reduce((all, signal) => all + WEIGHTS[signal], 0);
  return Object.fromEntries(signals.map((signal) => [signal, WEIGHTS[signal] / total]));
}

/** Scores every unit of a garden for one intent; a unit's score does not depend on the other candidates' ranks. */
export function scoreUnits(index: SearchIndex, intent: string, query: Int8Array | null): Scores {
  const units = index.names.length;
  const lexical = scoreLexical(index.lexical, index.terms, intent, units);
  const semantic = index.vectors && scoreSemantic(index.vectors, query, units);
  const matched = mix([
    [lexical, WEIGHTS.lexical],
    [semantic, WEIGHTS.semantic],
  ]);
  const graph = scoreGraph(index.links, matched);
  const total = mix([
    [lexical, WEIGHTS.lexical],
    [semantic, WEIGHTS.semantic],
    [graph, WEIGHTS.graph],
  ]);
  return { total, lexical, semantic, graph, exact: exactNames(index, intent) };
}

/** Weighted mean of the signals that are there, in whole millionths. */
function mix(signals: readonly (readonly [Int32Array | null, number])[]): Int32Array {
  const present = signals.filter((it): it is [Int32Array, number] => it[0] !== null);
  const weight = present.reduce((all, [, w]) => all + w, 0);
  const mixed = new Int32Array(present[0]?.[0].length ?? 0);
  for (let u = 0; u < mixed.length; u++) {
    let sum = 0;
    for (const [scores, w] of present) sum += (scores[u] ?? 0) * w;
    mixed[u] = Math.min(SCALE, Math.floor(sum / weight));
  }
  return mixed;
}

/**
 * The candidates in order: exact names first, then by score, ties by name. Units without any score are
 * no candidates.
 *
 * @param usable whether a unit may be ranked at all
 */
export function rankUnits(scores: Scores, usable: (unit: number) => boolean): number[] {
  const candidates: number[] = [];
  for (let u = 0; u < scores.total.length; u++) {
    if (((scores.total[u] ?? 0) > 0 || scores.exact.has(u)) && usable(u)) candidates.push(u);
  }
  const exact = (unit: number) => (scores.exact.has(unit) ? 1 : 0);
  return candidates.sort((a, b) => exact(b) - exact(a) || (scores.total[b] ?? 0) - (scores.total[a] ?? 0) || a - b);
}

const TOKEN = /instruction:[a-z0-9/-]+|(?<![\p{L}\p{N}-])(?:unit:)?[a-z0-9][a-z0-9-]*(?![\p{L}\p{N}])/gu;

/**
 * DESIGN §6.6: a unit's name, alias or URI as a whole token. A one-word name is an ordinary word too, so
 * it counts only in back-ticks, in quotes or as `unit:name`.
 */
function exactNames(index: SearchIndex, intent: string): Set<number> {
  const found = new Set<number>();
  const text = intent.toLowerCase();
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const bare = token.startsWith('unit:') ? token.slice('unit:'.length) : token;
    const uri = parseUri(token);
    // a URI that is none of ours must not pass for the name at its end
    if (uri === null && token.startsWith('instruction:')) continue;
    const name = uri ? seriesUri(uri) : bare;
    const unit = index.named.get(name);
    if (unit === undefined) continue;
    const marked = uri !== null || token !== bare || isQuoted(text, match.index, token.length);
    if (marked || name.includes('-')) found.add(unit);
  }
  return found;
}

function isQuoted(text: string, start: number, length: number): boolean {
  const before = text[start - 1] ?? '';
  const after = text[start + length] ?? '';
  return '`"\'“‘'.includes(before || ' ') && '`"\'”’'.includes(after || ' ');
}
