import { z } from 'zod';
import { Name } from '../../schema/uri.ts';
import { wholeNumber } from '../../schema/whole-number.ts';
import { TOKENS } from './limits.ts';

/** A subject, of which the startup view is wanted. */
export const AgentCapsulesQuery = z.strictObject({
  subject_kind: z.enum(['user', 'peer', 'thread', 'task']).optional(),
  subject_id: z.string().min(1).max(400).optional(),
  /** The budget of what a start would bring back, in estimated tokens. */
  max_tokens_estimate: wholeNumber(TOKENS.least, TOKENS.most).optional(),
});

/** A capsule that a start brings back within a budget, or has no room for. */
export const BroughtLine = z.strictObject({
  subject_kind: z.string(),
  subject_id: z.string(),
  source_state: z.string(),
  /** What is left of it, in estimated tokens; 0 if it has no room. */
  tokens: z.int(),
  /** What was left out of it, in the order of trimming. */
  trimmed_fields: z.array(z.string()),
});

/** One capsule, as the page lists it. All texts are the agent's own. */
export const CapsuleLine = z.strictObject({
  subject_kind: z.string(),
  subject_id: z.string(),
  label: z.string().nullable(),
  lifecycle: z.string().nullable(),
  state: z.string(),
  phase: z.string(),
  health: z.string(),
  updated_at: z.string(),
  /** In seconds, since it was updated; null if that time cannot be read. */
  age_seconds: z.int().nullable(),
});

/** What an agent has kept, and what it would be shown of one subject at a start. */
export const AgentCapsules = z.strictObject({
  agent: Name,
  content_kind: z.literal('agent_authored'),
  /** Whether the server keeps capsules. */
  is_kept: z.boolean(),
  /** At most 200, the most salient first. */
  capsules: z.array(CapsuleLine),
  /** The startup view of the subject that was asked for; null without one. */
  startup: z
    .strictObject({
      source_state: z.string(),
      warnings: z.array(z.string()),
      /** In the order of the view. */
      sections: z.array(z.strictObject({ name: z.string(), texts: z.array(z.string()) })),
    })
    .nullable(),
  /** What a start would bring back of the most salient open capsules; null where nothing is kept. */
  brought: z
    .strictObject({
      budget: z.int(),
      /** The budgets that can be asked for. */
      least: z.int(),
      most: z.int(),
      tokens: z.int(),
      capsules: z.array(BroughtLine),
      warnings: z.array(z.string()),
    })
    .nullable(),
});

export type BroughtLine = z.infer<typeof BroughtLine>;
export type AgentCapsulesQuery = z.infer<typeof AgentCapsulesQuery>;
export type CapsuleLine = z.infer<typeof CapsuleLine>;
export type AgentCapsules = z.infer<typeof AgentCapsules>;
