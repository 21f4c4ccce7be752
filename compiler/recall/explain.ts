import type { ExplainedUnit, Explanation, Outcome } from '../model/recall.ts';
import { SCALE } from './lexical.ts';
import { signalsOf, weightsOf, type Scores } from './rank.ts';
import type { RecallContext, RecallGarden } from './garden.ts';
import type { Served } from './serve.ts';

/** Every unit of a garden with its scores, and why it is in the answer or out of it. */
export function explain(
  garden: RecallGarden,
  context: RecallContext,
  scores: Scores,
  ranked: readonly number[],
  outcomes: readonly Outcome[],
  served: readonly (Served | null)[],
  budget: number,
): Explanation {
  const ranks = new Map(ranked.map((unit, at) => [unit, at + 1]));
  const units = garden.facts.map((fact, unit): ExplainedUnit => ({
    name: fact.name,
    fact_uri: fact.uri,
    outcome: outcomes[unit] ?? 'no_match',
    rank: ranks.get(unit) ?? null,
    exact_name: scores.exact.has(unit),
    score: (scores.total[unit] ?? 0) / SCALE,
    lexical: (scores.lexical[unit] ?? 0) / SCALE,
    semantic: scores.semantic && (scores.semantic[unit] ?? 0) / SCALE,
    graph: (scores.graph[unit] ?? 0) / SCALE,
    tokens: served[unit]?.tokens ?? fact.tokens,
  }));
  return {
    now: context.now,
    weights: weightsOf(signalsOf(garden.index.vectors !== null)),
    ranked_budget: budget,
    units,
  };
}
