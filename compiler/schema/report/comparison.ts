import { z } from 'zod';
import { RULES, type RuleId } from '../diagnostics.ts';
import { ApprovalCommand } from '../source/approval.ts';
import { MAX_PHRASES } from '../source/phrases.ts';
import { Name } from '../uri.ts';
import { UnitChange } from './agent-report.ts';

/** A share, 0..1, to four places. */
const Share = z.number().min(0).max(1);
const Count = z.int().nonnegative();

/** The full ID of a commit, by SHA-1 or SHA-256. */
const CommitId = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

/** One bundle of a comparison. */
const Side = z.strictObject({ revision: z.string(), serial: z.int().positive(), commit: CommitId });

/** A figure of an agent; null on the side that does not have it. */
const fromTo = <T extends z.ZodType>(figure: T) => z.strictObject({ from: figure.nullable(), to: figure.nullable() });

/** A recall whose units differ between the two bundles, by the same intent. */
export const ChangedRecall = z.strictObject({
  /** Untrusted text; null for one of the audit whose text stays there: then its id names it. */
  intent: z.string().nullable(),
  id: z.string().nullable(),
  /** A probe and a trigger are texts of the sources; an audited one was asked by an agent. */
  source: z.enum(['probe', 'trigger', 'audit']),
  /** Units that come only before, and units that come only after. */
  dropped: z.array(z.string()),
  gained: z.array(z.string()),
});

/** The phrases of a unit that come and go, and whether those that it has now were written for another text. */
export const PhraseChange = z.strictObject({
  name: Name,
  added: z.array(z.string()).max(MAX_PHRASES),
  removed: z.array(z.string()).max(MAX_PHRASES),
  stale: z.boolean(),
});

/** Changes for one agent. */
export const AgentComparison = z.strictObject({
  name: Name,
  /** cl100k. */
  tokens: z.strictObject({ stub: fromTo(Count), manifest: fromTo(Count), units: fromTo(Count) }),
  /** Mean coverage of its units; null where it was not measured. */
  coverage: fromTo(Share),
  probes: fromTo(z.strictObject({ passed: Count, probes: Count, uncounted: Count })),
  won: z.array(z.string()),
  lost: z.array(z.string()),
  units: z.array(UnitChange),
  phrases: z.array(PhraseChange),
  recalls: z.array(ChangedRecall),
});

/** Maximum number of units without a probe that are named for a garden. */
export const MOST_UNPROBED = 5;

/** The units of a garden after the change that no probe requires, of those which count: all, and the first of them. */
export const UnprobedGarden = z.strictObject({
  garden: Name,
  count: Count.positive(),
  names: z.array(Name).max(MOST_UNPROBED),
  /** Number of them without a trigger, which the coverage gate cannot check. */
  untriggered: Count,
});

/**
 * A diagnostic as programs get it from `vade compile` and `vade lint`. Untrusted: its rule is one of ours, and people
 * run its command, so that has closed fields only; file, message and help are text.
 */
export const ReportedDiagnostic = z.object({
  rule: z.enum(Object.keys(RULES) as [RuleId, ...RuleId[]]),
  severity: z.enum(['error', 'warning']),
  file: z.string(),
  line: z.int().positive(),
  column: z.int().positive(),
  message: z.string(),
  help: z.string(),
  details: z.object({ command: ApprovalCommand.optional() }).optional(),
});

/** Changes for agents in a pull request (`vade comment`): every text in it was written by others. */
export const Comparison = z.strictObject({
  format: z.literal(1),
  deployment: Name,
  base: Side,
  /** Null if the head does not compile. */
  head: Side.nullable(),
  agents: z.array(AgentComparison),
  unprobed: z.array(UnprobedGarden),
  diagnostics: z.array(ReportedDiagnostic),
});

export type PhraseChange = z.infer<typeof PhraseChange>;
export type ChangedRecall = z.infer<typeof ChangedRecall>;
export type AgentComparison = z.infer<typeof AgentComparison>;
export type UnprobedGarden = z.infer<typeof UnprobedGarden>;
export type ReportedDiagnostic = z.infer<typeof ReportedDiagnostic>;
export type Comparison = z.infer<typeof Comparison>;
