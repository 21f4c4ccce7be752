import { z } from 'zod';
import { AtomName, GateTable, Parameters } from './gate-table.ts';

/** The payload type of the DSSE envelope that a binding lies in. */
export const BINDING_TYPE = 'application/vnd.vademecum.binding+json';

/** Which agent works in a worktree, under which role: sealed by the orchestrator, read by the gate. */
export const Binding = z.strictObject({
  format: z.literal(1),
  /** The real, absolute path. */
  worktree: z.string().min(2).max(4096).startsWith('/'),
  agent_id: z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/),
  /** The agent that spawned it; null if the orchestrator did. */
  parent: z.string().max(128).nullable(),
  task: z.string().max(128),
  role: GateTable,
  /** What the task gives the role's atoms: `files-whitelist` and others. */
  parameters: Parameters,
  /** Atoms whose bypass two administrators have approved for this task. */
  bypasses: z.array(AtomName).max(64),
  /** Roles that the agent may spawn; empty for none. */
  spawns: z.array(z.string().max(64)).max(64),
  bundle_revision: z.string().max(256),
});

export type Binding = z.infer<typeof Binding>;
