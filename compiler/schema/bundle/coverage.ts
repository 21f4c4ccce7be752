import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import type { Delivery } from '../source/unit.ts';

/** §21.8.3: a unit has to be among the first of these for at least this share of its paraphrases. */
export const COVERAGE_K = 3;
export const COVERAGE_THRESHOLD = 0.8;

/** Maximum number of failures that are reported for one unit. */
export const MAX_MISSES = 10;
export const MAX_OUTRANKED = 3;
export const MAX_SUGGESTED = 8;

/** A share, 0..1, to four places. */
const Share = z.number().min(0).max(1);

/** A paraphrase that did not find its unit. */
export const Miss = z.strictObject({
  /** The trigger that was paraphrased. */
  intent: z.string(),
  paraphrase: z.string(),
  /** 1-based rank; null if the unit is not ranked. */
  rank: z.int().positive().nullable(),
  outranked_by: z.array(z.string()).max(MAX_OUTRANKED),
});

/**
 * The rules that compare a unit's text with its triggers. A trigger is no evidence for itself: what its paraphrases
 * find counts only where the unit's own text has to do with it.
 */
export const TEXT_RULES = ['coverage_own_text', 'coverage_misplaced', 'coverage_repetition'] as const;

/** The result of one of these rules for a unit. */
export const TextRuleResult = z.strictObject({
  rule: z.enum(TEXT_RULES),
  /** Number of the unit's paraphrases that do not count because of it. */
  failed: z.int().nonnegative(),
  /** Whether it stops a compile: it concerns the unit, and too few of its paraphrases are left. */
  blocks: z.boolean(),
  /** The triggers that it concerns. */
  triggers: z.array(z.string()),
  /** The first of these paraphrases, with the units whose texts answer them better. */
  examples: z.array(Miss).max(MAX_MISSES),
});

/** Below this findability a unit gets a warning. */
export const FINDABILITY_LEAST = 0.6;

/** Another unit that comes near or before a unit. */
const Rival = z.strictObject({
  name: z.string(),
  /** For how many of the paraphrases its score is higher. */
  ahead: z.int().nonnegative(),
});

/**
 * How surely a unit is found by words that its author did not think of: its lead over the third best other unit for
 * paraphrases of each trigger, as if the unit did not have that trigger or a near copy of it, and by its text alone.
 */
export const Findability = z.strictObject({
  score: Share,
  paraphrases: z.int().positive(),
  rivals: z.array(Rival).max(MAX_OUTRANKED),
});

/** How well paraphrases of its triggers find one unit. */
export const UnitCoverage = z.strictObject({
  name: z.string(),
  paraphrases: z.int().nonnegative(),
  /** Number of them that contain the whole trigger, with other words around it. */
  verbatim: z.int().nonnegative(),
  found: z.int().nonnegative(),
  /** `found` of `paraphrases`; no other rule changes it. */
  coverage_pct: Share,
  hit_at_10: Share,
  /** Nothing: it has no trigger, so there is nothing to paraphrase (S8); its probes judge it. */
  judged_by: z.enum(['intents', 'nothing']),
  /**
   * The triggers of which no paraphrase can be made, such as those in another language. They count in no figure, and
   * stop a compile, because nothing shows that they find the unit.
   */
  not_evaluated: z.array(z.string()),
  /** Those of them that are in another language than English, as far as their words say; absent if none is. */
  other_language: z.array(z.string()).min(1).optional(),
  /** The paraphrases that are not among the first three. */
  misses: z.array(Miss).max(MAX_MISSES),
  /** Figures after the text rules: the paraphrases that may count, and those of them that are found and do count. */
  counted: z.strictObject({ paraphrases: z.int().nonnegative(), found: z.int().nonnegative() }),
  text_rules: z.array(TextRuleResult).length(TEXT_RULES.length),
  /** Null if the unit has no trigger that can be paraphrased. */
  findability: Findability.nullable(),
  suggested_words: z.array(z.string()).max(MAX_SUGGESTED),
});

/** The evidence that decides whether a unit passes the gate. */
export type GatedFigures = Pick<UnitCoverage, 'judged_by' | 'coverage_pct' | 'not_evaluated' | 'text_rules'>;

/** Whether a unit passes the gate: all its triggers are evaluated, it is found (§21.8.3), and no text rule stops it. */
export function passes({ judged_by, coverage_pct, not_evaluated, text_rules }: GatedFigures): boolean {
  if (judged_by === 'nothing') return true;
  const isStopped = not_evaluated.length > 0 || text_rules.some(({ blocks }) => blocks);
  return coverage_pct >= COVERAGE_THRESHOLD && !isStopped;
}

/** The names of units without a trigger: there is nothing to judge, and only a probe says whether they are found. */
export function untriggeredIn(units: readonly Pick<UnitCoverage, 'name' | 'judged_by'>[]): string[] {
  return units.filter(({ judged_by }) => judged_by === 'nothing').map(({ name }) => name);
}

/** A unit without what it says in another language than English, which the gate cannot judge. */
export function inEnglish(judged: UnitCoverage): UnitCoverage {
  const { other_language: others = [], not_evaluated, paraphrases, coverage_pct } = judged;
  const isUnasked = others.length > 0 && paraphrases === 0;
  const left = not_evaluated.filter((it) => !others.includes(it));
  return { ...judged, not_evaluated: left, coverage_pct: isUnasked ? 1 : coverage_pct };
}

/**
 * Whether most triggers of a garden are in another language than English, so that the gate judges too little of it. A
 * single one is reported, and stops nothing.
 *
 * @param facts of the garden, whose triggers are counted
 */
export function isMostlyOther(
  units: readonly Pick<UnitCoverage, 'name' | 'other_language'>[],
  facts: readonly { readonly name: string; readonly delivery: Pick<Delivery, 'load_triggers'> }[],
): boolean {
  const names = new Set(units.map(({ name }) => name));
  const triggers = facts.flatMap(({ name, delivery }) => (names.has(name) ? delivery.load_triggers.intents : []));
  const others = units.flatMap(({ other_language }) => other_language ?? []);
  return 2 * others.length > triggers.length;
}

/** Whether a unit is so hard to find that its author should know. */
export function isHardToFind({ findability }: Pick<UnitCoverage, 'findability'>): boolean {
  return findability !== null && findability.score < FINDABILITY_LEAST;
}

/** sha256 of every input of the evaluation; a garden is evaluated again when any of them changes. */
export const CoverageBinding = z.strictObject({
  index: Digest,
  model: Digest.nullable(),
  generator: Digest,
  weights: Digest,
  /** Of the canonical list of [unit, …intents]. */
  triggers: Digest,
});

/** Difference of the paraphrases from their triggers and from each other, 0..1. */
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
export type Rival = z.infer<typeof Rival>;
export type Findability = z.infer<typeof Findability>;
export type TextRule = (typeof TEXT_RULES)[number];
export type TextRuleResult = z.infer<typeof TextRuleResult>;
export type UnitCoverage = z.infer<typeof UnitCoverage>;
export type CoverageBinding = z.infer<typeof CoverageBinding>;
export type Diversity = z.infer<typeof Diversity>;
export type Coverage = z.infer<typeof Coverage>;
