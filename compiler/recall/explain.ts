import type { ExplainedUnit, Explanation, Outcome, ComputedRecall } from '../schema/api/recall.ts';
import type { Candidates } from './candidates.ts';
import { boost } from './rank/boost.ts';
import { leastScore } from './rank/least-score.ts';
import { scoreUnits, signalsOf, weightsOf } from './rank/rank.ts';
import type { RecallContext, RecallGarden } from './recall-garden.ts';
import type { Serving } from './resolve-content.ts';
import type { Selection } from './select.ts';
import { SCALE } from './signals/lexical.ts';
import { nearestKinds } from './signals/semantic.ts';

/** The intermediate results of a recall. */
export interface Result {
  readonly approximate: boolean;
  readonly ranked: readonly number[];
  readonly picked: Selection;
  readonly candidates: Candidates;
  readonly serving: Serving;
}

/** A unit's score from 0 to 1. */
const partOf = (scores: Int32Array, unit: number) => (scores[unit] ?? 0) / SCALE;

/**
 * Every unit of a garden with its scores, and why it is in the answer or not. An approximate search does not score most
 * units, so all are scored again here: this shows what the search missed.
 */
export function explain(
  garden: RecallGarden,
  request: ComputedRecall,
  context: RecallContext,
  result: Result,
): Explanation {
  const { index, facts } = garden;
  const { approximate, picked } = result;
  return {
    now: context.now,
    search: approximate ? 'approximate' : 'exhaustive',
    measured_recall: approximate ? (index.ann?.pin.recall ?? null) : null,
    weights: weightsOf(signalsOf(index.vectors !== null)),
    least_score: leastScore(index, context.query) / SCALE,
    ranked_budget: picked.budget,
    displaced: picked.displaced === null ? null : (facts[picked.displaced]?.name ?? null),
    units: explainUnits(garden, request, context, result),
  };
}

function explainUnits(
  garden: RecallGarden,
  { intent }: ComputedRecall,
  { query }: RecallContext,
  { ranked, picked, candidates, serving }: Result,
): ExplainedUnit[] {
  const { index, facts } = garden;
  const scores = scoreUnits(index, intent, query);
  const total = boost(scores.total, garden);
  const nearest = index.vectors ? nearestKinds(index.vectors, query) : [];
  const ranks = new Map(ranked.map((unit, at) => [unit, at + 1]));
  const places = new Map(picked.order.map((unit, at) => [unit, at + 1]));
  const shown = new Set(candidates.units);
  const unranked = (unit: number): Outcome =>
    serving.absent.get(unit) ?? (partOf(scores.total, unit) > 0 ? 'over_max_chunks' : 'no_match');
  return facts.map((fact, unit) => ({
    name: fact.name,
    fact_uri: fact.uri,
    outcome: shown.has(unit) ? 'candidate' : (picked.outcomes.get(unit) ?? unranked(unit)),
    rank: ranks.get(unit) ?? null,
    place: places.get(unit) ?? null,
    exact_name: scores.exact.has(unit),
    score: partOf(total, unit),
    lift: ((total[unit] ?? 0) - (scores.total[unit] ?? 0)) / SCALE,
    lexical: partOf(scores.lexical, unit),
    semantic: scores.semantic && partOf(scores.semantic, unit),
    nearest: nearest[unit] ?? null,
    graph: partOf(scores.graph, unit),
    tokens: serving.serve(unit)?.tokens ?? fact.tokens,
  }));
}
