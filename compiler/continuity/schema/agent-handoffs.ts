import { z } from 'zod';
import { Name } from '../../schema/uri.ts';

/** One handoff, as the page lists it. All texts are those of agents. */
export const HandoffLine = z.strictObject({
  handoff_id: z.string(),
  direction: z.enum(['sent', 'received']),
  /** The other one: its short name, or its id where the bundle has none. */
  peer: z.string(),
  subject_kind: z.string(),
  subject_id: z.string(),
  status: z.string(),
  note: z.string().nullable(),
  /** The answer of its recipient. */
  answer: z.string().nullable(),
  constraints: z.array(z.string()),
  drift_signals: z.array(z.string()),
  updated_at: z.string(),
});

/** The handoffs that an agent sent, and those that it received. */
export const AgentHandoffs = z.strictObject({
  agent: Name,
  content_kind: z.literal('agent_authored'),
  /** Whether the server keeps handoffs. */
  is_kept: z.boolean(),
  /** The newest 100. */
  handoffs: z.array(HandoffLine),
  /** Total number. */
  total: z.int(),
});

export type HandoffLine = z.infer<typeof HandoffLine>;
export type AgentHandoffs = z.infer<typeof AgentHandoffs>;
