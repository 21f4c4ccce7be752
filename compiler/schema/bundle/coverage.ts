import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';

/** §21.8.3: a unit has to be among the first of these for at least this share of its paraphrases. */
export const COVERAGE_K = 3;
export const COVERAGE_THRESHOLD = 0.8;

/** How many failures are reported for one unit. */
export const MAX_MISSES = 10;
export const MAX_OUTRANKED = 3;
export const MAX_SUGGESTED = 8;

/** A share, 0..1, to four places. */
const Share = z.number().min(0).max(1);

/** A paraphrase that did not find its unit. */
export const Miss = z.strictObject({
  /** The trigger, or the description, that was paraphrased. */
  intent: z.string(),
  paraphrase: z.string(),
  /** 1-based rank; null if the unit is not ranked. */
  rank: z.int().positive().nullable(),
  outranked_by: z.array(z.string()).max(MAX_OUTRANKED),
});

/** How well paraphrases of its triggers find one unit. */
export const UnitCoverage = z.strictObject({
  name: z.string(),
  paraphrases: z.int().nonnegative(),
  found: z.int().nonnegative(),
  coverage_pct: Share,
  hit_at_10: Share,
  judged_by: z.enum(['intents', 'description']),
  /** Triggers that only repeat words of the unit's content; recall would find the unit without them. */
  repeats_content: z.array(z.string()),
  misses: z.array(Miss).max(MAX_MISSES),
  suggested_words: z.array(z.string()).max(MAX_SUGGESTED),
});

/** sha256 of every input of the evaluation; a garden is evaluated again when any of them changes. */
export const CoverageBinding = z.strictObject({
  index: Digest,
  model: Digest.nullable(),
  generator: Digest,
  weights: Digest,
  /** Of the canonical list of [unit, intents or description]. */
  triggers: Digest,
});

/** How different the paraphrases are from their triggers and from each other, 0..1. */
export const Diversity = z.strictObject({ words: Share, syntax: Share });

/** `coverage.json` of a garden (§21.8.3); its units are sorted by name. */
export const Coverage = z.strictObject({
  format: z.literal(1),
  k: z.literal(COVERAGE_K),
  threshold: z.literal(COVERAGE_THRESHOLD),
  evaluated_at: Instant,
  embedding_model_version: z.string().nullable(),
  binding: CoverageBinding,
  diversity: Diversity,
  units: z.array(UnitCoverage),
});

export type Miss = z.infer<typeof Miss>;
export type UnitCoverage = z.infer<typeof UnitCoverage>;
export type CoverageBinding = z.infer<typeof CoverageBinding>;
export type Diversity = z.infer<typeof Diversity>;
export type Coverage = z.infer<typeof Coverage>;
