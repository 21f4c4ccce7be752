import { z } from 'zod';
import { WARNINGS } from '../errors.ts';

export const MAX_INTENT_CHARACTERS = 8000;

/** Maximum number of hints that are looked up; further ones count as missed (DESIGN §6.6). */
export const MAX_HINTS = 10;

/** Characters of all hints together. The HTTP body limit is lower; shell arguments have no such limit. */
const MAX_HINT_CHARACTERS = 65_536;

/** The most texts of an answer, and the most units that it names without a text. */
const MAX_CHUNKS = 50;
const MAX_CANDIDATES = 50;

/** Paths of files that the agent works on: so many, and so many characters each. */
const MAX_FILES = 50;
const MAX_FILE_CHARACTERS = 500;

/** Untrusted input: compared with patterns, and never opened. */
const FilePath = z
  .string()
  .min(1)
  .max(MAX_FILE_CHARACTERS)
  .refine(
    isRelativePath,
    'write it relative to the repository, with / between folders, without .. and control characters',
  );

/** An audit token has 54 characters; any other text is refused as one that was never issued. */
const MAX_TOKEN_CHARACTERS = 200;

/**
 * §21.3.1. The boot stub's inline tool schema, the request check and the OpenAPI document derive from it.
 * A blank intent is reported as `intent_required` (§21.9) before this schema is checked. `null` counts as not given.
 */
export const RecallRequest = z.strictObject({
  intent: z.string().min(1).max(MAX_INTENT_CHARACTERS),
  max_chunks: optional(z.int().min(1).max(MAX_CHUNKS), 3),
  token_budget: optional(z.int().min(1).max(100_000), 2000),
  // an unknown hint is not an error: it is returned in missed_hints
  manifest_hint: optional(
    z
      .array(z.string())
      .refine(
        (hints) => hints.reduce((all, hint) => all + hint.length, 0) <= MAX_HINT_CHARACTERS,
        `all hints together have at most ${MAX_HINT_CHARACTERS} characters`,
      )
      .meta({ description: `Names or URIs of units; ${MAX_HINTS} are looked up` }),
    [],
  ),
  candidates: optional(z.int().min(0).max(MAX_CANDIDATES), 0),
  candidates_budget: optional(z.int().min(1).max(10_000), 350),
  files: optional(
    z
      .array(FilePath)
      .max(MAX_FILES)
      .meta({ description: 'Files of your work, relative to the repository; never opened' }),
    [],
  ),
  follows: z
    .string()
    .min(1)
    .max(MAX_TOKEN_CHARACTERS)
    .nullable()
    .default(null)
    .meta({ description: 'audit_token of the answer whose candidates you chose from' }),
});

/**
 * A recall as the tools of an agent take it: by an intent, or by names of units alone. It names the next best units,
 * since a model chooses better from descriptions than any ranking does. Without `max_chunks` a close second comes.
 *
 * @param follows as the transport has it
 */
export function agentRecall<T extends z.ZodType>(follows: T) {
  return RecallRequest.extend({
    intent: optional(z.string().max(MAX_INTENT_CHARACTERS), ''),
    max_chunks: z.int().min(1).max(MAX_CHUNKS).nullish(),
    candidates: optional(z.int().min(0).max(MAX_CANDIDATES), 8),
    follows,
  });
}

/** A recall as its answer is computed and recorded. */
export const ComputedRecall = RecallRequest.extend({
  /**
   * In percent, over MCP without `max_chunks`: up to two more ranked pages come along whose score is at least this
   * share of the first, and so does one by files whose pattern says more than a file's ending. Absent: neither.
   */
  near_share: z.int().min(1).max(100).optional(),
  /** Where the agent's disk has the skills of its project: those that it lacks. Absent: it has none of them. */
  missing_skills: z.array(z.string()).optional(),
});

/** A member that may be absent or null, because strict function calling sends null; both mean the default. */
function optional<T extends z.ZodType>(schema: T, fallback: z.output<T> & z.input<T>) {
  return schema
    .nullable()
    .default(fallback as never)
    .transform((given): z.output<T> => given ?? fallback);
}

function isRelativePath(path: string): boolean {
  return !/[\p{Cc}\p{Cs}\u2028\u2029\\]|^\/|^[A-Za-z]:\//u.test(path) && !path.split('/').includes('..');
}

export type RecallRequest = z.infer<typeof RecallRequest>;
export type ComputedRecall = z.infer<typeof ComputedRecall>;

export const Chunk = z.strictObject({
  name: z.string(),
  fact_uri: z.string(),
  content: z.string(),
  tokens: z.int(),
  valid_until: z.string().nullable(),
  version: z.string(),
  /** 0..1, to six places; the true score, also for units that came by hint or guarantee. */
  score: z.number().min(0).max(1),
  /** A `pointer` is the description of a skill that lies on the agent's disk; HTTP has none. */
  source: z.enum(['stigmem', 'fallback_path', 'pointer']),
  /** Of a skill: its text ends with a section, before its end; `fact_uri` has the whole. */
  is_part: z.literal(true).optional(),
  /** Of a skill: where the rest is, what only a host resolves, and its files with their sizes. */
  note: z.string().optional(),
});

/** A unit that an answer names without its text, so that the agent can choose it. */
export const RecallCandidate = z.strictObject({ name: z.string(), description: z.string() });

/** A unit that is in the answer because it is about a file of the request: its pattern means the file. */
const ByFiles = z.strictObject({ name: z.string(), pattern: z.string(), file: z.string() });

/**
 * Why a unit is in the answer, or why it is not: a `candidate` is named without its text, and one that came by `files`
 * has the place of one that is `displaced`.
 */
export const Outcome = z.enum([
  'hint',
  'ranked',
  'files',
  'guaranteed',
  'candidate',
  'displaced',
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
  /** 1-based rank among the candidates, before any budget; null beyond the ranked depth. */
  rank: z.int().positive().nullable(),
  /** 1-based position in the answer, after hints, budget and guarantees; null if it is not in the answer. */
  place: z.int().positive().nullable(),
  exact_name: z.boolean(),
  /** Includes the boost. */
  score: z.number(),
  /** The boost of a unit that is hardly ever found (§21.5.5). */
  lift: z.number(),
  lexical: z.number(),
  semantic: z.number().nullable(),
  /**
   * The part of the unit that is nearest to the intent by meaning: a trigger or the title, or a phrase; null if none is
   * near.
   */
  nearest: z.enum(['trigger', 'phrase']).nullable(),
  graph: z.number(),
  tokens: z.int(),
});

export const Explanation = z.strictObject({
  now: z.string(),
  /** Whether every unit was scored, or only those that an approximate search found, as in large gardens. */
  search: z.enum(['exhaustive', 'approximate']),
  /** Share of the exhaustive answer that the approximate search finds, measured when the garden was compiled. */
  measured_recall: z.number().min(0).max(1).nullable(),
  /** The applied weights: those of §21.3.3, renormalised over the signals that the bundle has. */
  weights: z.record(z.string(), z.number()),
  /** A best score below this, without boosts, is of low confidence: it is higher for what people ask agents all day. */
  least_score: z.number(),
  ranked_budget: z.int(),
  /** The unit that would have the place of the one that came by files; null without one. */
  displaced: z.string().nullable(),
  units: z.array(ExplainedUnit),
});

/** A guaranteed or preloaded unit that has nothing to serve, and why. */
export const MissingUnit = z.strictObject({ name: z.string(), outcome: Outcome });

/** §21.3.2. */
export const RecallResponse = z.strictObject({
  chunks: z.array(Chunk),
  total_tokens: z.int(),
  truncated: z.boolean(),
  missed_hints: z.array(z.string()),
  warnings: z.array(z.enum(WARNINGS)),
  /** The units of the warning `guaranteed_unit_unavailable`. */
  unavailable: z.array(MissingUnit).optional(),
  /** Null if no audit is kept, as in a shell. */
  audit_token: z.string().nullable(),
  /** The chunk that came by the files of the request and not by its rank, or the candidate that is about one. */
  by_files: ByFiles.optional(),
  /** The next best units, in the order of their ranks; only where candidates were asked for. */
  candidates: z.array(RecallCandidate).optional(),
  /** Number of those asked for that did not fit their budget. */
  more_candidates: z.int().nonnegative().optional(),
  explain: Explanation.optional(),
});

export type MissingUnit = z.infer<typeof MissingUnit>;
export type Chunk = z.infer<typeof Chunk>;
export type RecallCandidate = z.infer<typeof RecallCandidate>;
export type Outcome = z.infer<typeof Outcome>;
export type ExplainedUnit = z.infer<typeof ExplainedUnit>;
export type Explanation = z.infer<typeof Explanation>;
export type RecallResponse = z.infer<typeof RecallResponse>;
