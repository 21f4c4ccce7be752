import { z } from 'zod';
import { Name } from '../../schema/uri.ts';
import { wholeNumber } from '../../schema/whole-number.ts';
import { TOKENS } from './limits.ts';

/** A subject, of which the startup view is wanted. */
export const AgentCapsulesQuery = z.strictObject({
  subject_kind: z.enum(['user', 'peer', 'thread', 'task']).optional(),
  subject_id: z.string().min(1).max(400).optional(),
  /** The budget of the capsules that a start would bring back, in estimated tokens. */
  max_tokens_estimate: wholeNumber(TOKENS.least, TOKENS.most).optional(),
});

/** A capsule that a start brings back within a budget, or has no room for. */
export const BroughtLine = z.strictObject({
  subject_kind: z.string(),
  subject_id: z.string(),
  source_state: z.string(),
  /** The size of its returned part, in estimated tokens; 0 if it has no room. */
  tokens: z.int(),
  /** The fields that were left out, in the order of trimming. */
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

/** The capsules of an agent, and its startup view of one subject. */
export const AgentCapsules = z.strictObject({
  agent: Name,
  content_kind: z.literal('agent_authored'),
  /** Whether the server keeps capsules. */
  is_kept: z.boolean(),
  /** At most 200, the most salient first. */
  capsules: z.array(CapsuleLine),
  /** The startup view of the requested subject; null without one. */
  startup: z
    .strictObject({
      source_state: z.string(),
      warnings: z.array(z.string()),
      /** In the order of the view. */
      sections: z.array(z.strictObject({ name: z.string(), texts: z.array(z.string()) })),
    })
    .nullable(),
  /** The part of the most salient open capsules that a start would bring back; null if nothing is kept. */
  brought: z
    .strictObject({
      budget: z.int(),
      /** The limits of the budget. */
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
