import { z } from 'zod';
import { Name } from '../uri.ts';

/** Why a recall proposes no probe. */
const UNPROPOSED = [
  'heartbeat',
  /** Never closed by its agent. */
  'unclosed',
  /** Closed without a word on what was used or missed. */
  'silent',
  /** The text was erased, or was never kept. */
  'intent_gone',
  /** What was used or missed is no unit of the bundle. */
  'unit_unknown',
  /** What was used comes with every recall: no probe has to find it. */
  'guaranteed',
  'too_long',
  /** There was a password or a key in it. */
  'secret',
  /** Too little is left once everything is taken out that may tell of somebody. */
  'unreadable',
  /** A probe says the same already, or nearly. */
  'probed',
] as const;

export const Unproposed = z.enum(UNPROPOSED);

/** A probe that real recalls propose, for a person to judge (§21.5.4). */
export const Candidate = z.strictObject({
  /** One wording of them, without what tells of anybody. */
  intent: z.string(),
  /** Units that most of these recalls used or missed. */
  required: z.array(Name).min(1).max(16),
  /** Units that fewer of them did. */
  rarely: z.array(Name),
  /** Recalls that asked so. */
  times: z.int().positive(),
  /** Those of them that missed a unit. */
  missed: z.int().nonnegative(),
  /** Whether the bundle ranks every required unit among the first k. */
  passes: z.boolean(),
  /** Audit ids of some of them. */
  recalls: z.array(z.string()).min(1),
});

export const ProbeSuggestions = z.strictObject({
  agent: z.string(),
  revision: z.string(),
  /** Entries of the audit in the window. */
  read: z.int().nonnegative(),
  candidates: z.array(Candidate),
  /** How many more there are. */
  omitted: z.int().nonnegative(),
  left_out: z.partialRecord(Unproposed, z.int().positive()),
  /** `instructions/probes/<agent>.yaml`, as far as somebody wants it. */
  yaml: z.string(),
  /** The file that it was written to. */
  out: z.string().nullable(),
});

export type Unproposed = z.infer<typeof Unproposed>;
export type Candidate = z.infer<typeof Candidate>;
export type ProbeSuggestions = z.infer<typeof ProbeSuggestions>;
