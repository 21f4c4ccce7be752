import { z } from 'zod';
import { Name } from '../uri.ts';

/** A subject, of which the startup view is wanted. */
export const AgentCapsulesQuery = z.strictObject({
  subject_kind: z.enum(['user', 'peer', 'thread', 'task']).optional(),
  subject_id: z.string().min(1).max(400).optional(),
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
});

export type AgentCapsulesQuery = z.infer<typeof AgentCapsulesQuery>;
export type CapsuleLine = z.infer<typeof CapsuleLine>;
export type AgentCapsules = z.infer<typeof AgentCapsules>;
