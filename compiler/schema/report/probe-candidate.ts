import { z } from 'zod';
import { Name } from '../uri.ts';

/** Why a recall does not propose a probe. */
const UNPROPOSED = [
  'heartbeat',
  /** The agent never closed it. */
  'unclosed',
  /** The agent closed it without naming any used or missed unit. */
  'silent',
  /** The text was erased, or was never kept. */
  'intent_gone',
  /** No used or missed name is a unit of the bundle. */
  'unit_unknown',
  /** Only guaranteed units were used; they come with every recall, so that no probe has to find them. */
  'guaranteed',
  'too_long',
  /** The text contained a password or a key. */
  'secret',
  /** Too little text is left after redaction. */
  'unreadable',
  /** An existing probe has the same or nearly the same intent. */
  'probed',
] as const;

export const Unproposed = z.enum(UNPROPOSED);

/** A proposed probe from real recalls, for a person to review (§21.5.4). */
export const ProbeCandidate = z.strictObject({
  /** The redacted intent of one of them. */
  intent: z.string(),
  /** Units that most of these recalls used or missed. */
  required: z.array(Name).min(1).max(16),
  /** Units that fewer of these recalls used or missed. */
  rarely: z.array(Name),
  /** Number of recalls that support the probe. */
  times: z.int().positive(),
  /** Number of them that missed a unit. */
  missed: z.int().nonnegative(),
  /** For how many of them the agent chose the unit from the candidates: its words did not lead there. */
  chosen: z.int().nonnegative(),
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
  candidates: z.array(ProbeCandidate),
  /** Number of further candidates. */
  omitted: z.int().nonnegative(),
  left_out: z.partialRecord(Unproposed, z.int().positive()),
  /** The candidates as a file `instructions/probes/<agent>.yaml`. */
  yaml: z.string(),
  /** The file that it was written to. */
  out: z.string().nullable(),
});

export type Unproposed = z.infer<typeof Unproposed>;
export type ProbeCandidate = z.infer<typeof ProbeCandidate>;
export type ProbeSuggestions = z.infer<typeof ProbeSuggestions>;
