import { z } from 'zod';

/**
 * What became of a recall: `identical` in order and text; `same_units`, in another order or with other texts; or
 * other units, told apart by what the agent used or missed then. Those that somebody has to look at come first.
 */
export const VERDICTS = ['worse', 'different', 'same_units', 'better', 'identical'] as const;
export const Verdict = z.enum(VERDICTS);

/** Why an entry of the audit cannot be asked again. */
const UNREPLAYABLE = [
  /** Nothing was asked: units came with being woken. */
  'heartbeat',
  /** The text was erased, or was never kept. */
  'intent_gone',
  /** What is recorded of the request, or of its time, does not read. */
  'request_unreadable',
  'agent_unknown',
  /** The bundle folder has not kept the root that it was answered from. */
  'revision_gone',
  /** That root, the garden in it, or its model cannot be used any more. */
  'revision_unusable',
] as const;
export const Unreplayable = z.enum(UNREPLAYABLE);

/** One recall asked again. Its intent is told only where that was asked for. */
export const ReplayedRecall = z.strictObject({
  id: z.string(),
  agent: z.string(),
  /** Which bundle answered then. */
  revision: z.string(),
  verdict: Verdict,
  /** Units that come now and did not, and those that came and do not. */
  gained: z.array(z.string()),
  dropped: z.array(z.string()),
  /** Tokens now less tokens then. */
  tokens: z.int(),
  intent: z.string().optional(),
});

const Count = z.int().nonnegative();

/** Recalls of one agent, or of all of them, as they were answered and as they are answered now. */
export const ReplayTally = z.strictObject({
  replayed: Count,
  worse: Count,
  different: Count,
  same_units: Count,
  better: Count,
  identical: Count,
  tokens: z.strictObject({ before: Count, after: Count, change: z.int() }),
});

/** What a replay of the audit found (§21.3.4). */
export const ReplayReport = z.strictObject({
  /** The bundle that was asked; null where each recall was asked of its own. */
  revision: z.string().nullable(),
  /** Entries of the audit in the window. */
  read: Count,
  total: ReplayTally,
  /** Recalls that the very same bundle had answered, and those of them that came out otherwise. */
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
