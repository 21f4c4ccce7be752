import { z } from 'zod';
import { Digest } from '../primitives.ts';
import { AtomName, RoleName } from './atom-name.ts';
import { GateEntry } from './gate-table.ts';
import { CheckTime, Escalation, RunMode } from './tools.ts';

/** The text of one atom, as a prompt contains it. */
const Fragment = z.strictObject({ atom: AtomName, digest: Digest, text: z.string() });

/** One check of a role after its agent returns. */
const ResolvedCheck = z.strictObject({
  atom: AtomName,
  module: z.string(),
  run_mode: RunMode,
  when: CheckTime,
  parameters: z.array(z.string()),
});

/** A role with everything that it extends: what an agent is told, stopped by and judged by. */
export const ResolvedRole = z.strictObject({
  format: z.literal(1),
  role: RoleName,
  /** The roles that it extends, nearest first. */
  extends: z.array(RoleName),
  spawnable: z.boolean(),
  fragments: z.array(Fragment),
  gates: z.array(GateEntry),
  tools: z.strictObject({ allowed: z.array(z.string()), denied: z.array(z.string()) }),
  shell: z.strictObject({ allowed: z.array(z.string()) }),
  checks: z.array(ResolvedCheck),
  /** The parameters that a task with this role may give. */
  accepts: z.array(z.string()),
  escalation: Escalation,
});

export type ResolvedRole = z.infer<typeof ResolvedRole>;
export type ResolvedCheck = z.infer<typeof ResolvedCheck>;
