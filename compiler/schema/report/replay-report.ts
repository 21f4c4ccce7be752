import { z } from 'zod';

/**
 * The outcome of replaying a recall: `identical` in order and text; `same_units` in another order, with other texts or,
 * from the same bundle, with other candidates; or other units, classified by the units that the agent used or missed
 * then. Outcomes that need a review come first.
 */
export const VERDICTS = ['worse', 'different', 'same_units', 'better', 'identical'] as const;
export const Verdict = z.enum(VERDICTS);

/** Why an entry of the audit cannot be replayed. */
const UNREPLAYABLE = [
  /** The entry is a heartbeat, which has no intent. */
  'heartbeat',
  /** The text was erased, or was never kept. */
  'intent_gone',
  /** The recorded request or time cannot be parsed. */
  'request_unreadable',
  'agent_unknown',
  /** The bundle folder no longer has the root that answered it. */
  'revision_gone',
  /** That root, its garden or its model is no longer usable. */
  'revision_unusable',
] as const;
export const Unreplayable = z.enum(UNREPLAYABLE);

/** One replayed recall. Its intent is included only on request. */
export const ReplayedRecall = z.strictObject({
  id: z.string(),
  agent: z.string(),
  /** Revision of the bundle that answered then. */
  revision: z.string(),
  verdict: Verdict,
  /** Units that come only now, and units that came only then. */
  gained: z.array(z.string()),
  dropped: z.array(z.string()),
  /** Tokens now minus tokens then. */
  tokens: z.int(),
  intent: z.string().optional(),
});

const Count = z.int().nonnegative();

/** Compares the recalls of one agent, or of all agents, then and now. */
export const ReplayTally = z.strictObject({
  replayed: Count,
  worse: Count,
  different: Count,
  same_units: Count,
  better: Count,
  identical: Count,
  tokens: z.strictObject({ before: Count, after: Count, change: z.int() }),
});

/** The result of replaying the audit (§21.3.4). */
export const ReplayReport = z.strictObject({
  /** The bundle that answers now; null if each recall was replayed against its own bundle. */
  revision: z.string().nullable(),
  /** Entries of the audit in the window. */
  read: Count,
  total: ReplayTally,
  /** Recalls that the same bundle had answered, and how many of them had another result. */
  proof: z.strictObject({ replayed: Count, differing: Count }),
  agents: z.array(ReplayTally.extend({ agent: z.string(), agent_id: z.string() })),
  not_replayed: z.partialRecord(Unreplayable, Count),
  /** Recalls that change, worse ones first, and how many more there are. */
  changed: z.array(ReplayedRecall),
  omitted: Count,
});

export type Verdict = z.infer<typeof Verdict>;
export type Unreplayable = z.infer<typeof Unreplayable>;
export type ReplayedRecall = z.infer<typeof ReplayedRecall>;
export type ReplayTally = z.infer<typeof ReplayTally>;
export type ReplayReport = z.infer<typeof ReplayReport>;
