import { z } from 'zod';
import { Name } from './uri.ts';
import { WARNINGS } from './errors.ts';

export const MAX_INTENT_CHARACTERS = 8000;

/**
 * §21.3.1. The boot stub's inline tool schema, the request check and the OpenAPI document derive from it.
 * A blank intent is told apart as `intent_required` (§21.9) before this schema is asked.
 */
export const RecallRequest = z.strictObject({
  intent: z.string().min(1).max(MAX_INTENT_CHARACTERS),
  max_chunks: z.int().min(1).max(50).default(3),
  token_budget: z.int().min(1).max(100_000).default(2000),
  manifest_hint: z
    .array(Name)
    .max(10)
    .refine((names) => new Set(names).size === names.length, 'name each unit once')
    .meta({ uniqueItems: true })
    .default([]),
});

export type RecallRequest = z.infer<typeof RecallRequest>;

export const Chunk = z.strictObject({
  name: z.string(),
  fact_uri: z.string().nullable(),
  content: z.string(),
  tokens: z.int(),
  valid_until: z.string().nullable(),
  version: z.string(),
  /** 0..1, exact to the millionth; the real score, however the unit came in. */
  score: z.number().min(0).max(1),
  source: z.enum(['stigmem', 'fallback_path']),
});

/** Why a unit stands in the answer, or why it does not. */
export const Outcome = z.enum([
  'hint',
  'ranked',
  'guaranteed',
  'over_max_chunks',
  'over_token_budget',
  'no_match',
  'expired',
  'unavailable',
  'withdrawn',
]);

export const ExplainedUnit = z.strictObject({
  name: z.string(),
  fact_uri: z.string(),
  outcome: Outcome,
  /** 1-based place among the ranked candidates, before any budget; null for those that lie too deep as well. */
  rank: z.int().positive().nullable(),
  /** 1-based place in the answer, after hints, budget and guarantees; null where it does not come. */
  place: z.int().positive().nullable(),
  exact_name: z.boolean(),
  /** With its lift. */
  score: z.number(),
  /** What it is lifted by, because it is hardly ever found (§21.5.5). */
  lift: z.number(),
  lexical: z.number(),
  semantic: z.number().nullable(),
  graph: z.number(),
  tokens: z.int(),
});

export const Explanation = z.strictObject({
  now: z.string(),
  /** Whether every unit was scored, or those alone that an approximate search brought up, as large gardens need. */
  search: z.enum(['exhaustive', 'approximate']),
  /** Share of the exhaustive answer that the search finds, as it was measured when the garden was compiled. */
  measured_recall: z.number().min(0).max(1).nullable(),
  /** Weights in force: those of §21.3.3, renormalised over the signals that the bundle has. */
  weights: z.record(z.string(), z.number()),
  ranked_budget: z.int(),
  units: z.array(ExplainedUnit),
});

/** §21.3.2. */
export const RecallResponse = z.strictObject({
  chunks: z.array(Chunk),
  total_tokens: z.int(),
  truncated: z.boolean(),
  missed_hints: z.array(z.string()),
  warnings: z.array(z.enum(WARNINGS)),
  /** Null where no audit is kept, as in a shell. */
  audit_token: z.string().nullable(),
  explain: Explanation.optional(),
});

export type Chunk = z.infer<typeof Chunk>;
export type Outcome = z.infer<typeof Outcome>;
export type ExplainedUnit = z.infer<typeof ExplainedUnit>;
export type Explanation = z.infer<typeof Explanation>;
export type RecallResponse = z.infer<typeof RecallResponse>;
