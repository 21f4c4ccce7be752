import { z } from 'zod';
import { Digest } from '../primitives.ts';
import { AtomName, RoleName } from './atom-name.ts';
import { CheckTime, Escalation, RunMode, Severity } from './tools.ts';

/** The text of one atom, as a prompt contains it. */
const Fragment = z.strictObject({ atom: AtomName, digest: Digest, text: z.string() });

/** One gate of a role; `parameters` are the names that a task may give it. */
const ResolvedGate = z.strictObject({
  atom: AtomName,
  module: z.string(),
  event: z.string(),
  severity: Severity,
  /** Null unless the role keeps the bypass, which two administrators approved. */
  bypass_env: z.string().nullable(),
  relaxable: z.boolean(),
  parameters: z.array(z.string()),
  /** For commands, as regular expressions. */
  patterns: z.array(z.string()),
  /** For files, as globs. */
  paths: z.array(z.string()),
  tools_denied: z.array(z.string()),
});

/** One check of a role after its agent returns. */
const ResolvedCheck = z.strictObject({
  atom: AtomName,
  module: z.string(),
  run_mode: RunMode,
  when: CheckTime,
  parameters: z.array(z.string()),
  /** For files, as globs. */
  paths: z.array(z.string()),
});

/** A role with everything that it extends: the texts, the gates and the checks of an agent. */
export const ResolvedRole = z.strictObject({
  format: z.literal(1),
  role: RoleName,
  /** The roles that it extends, nearest first. */
  extends: z.array(RoleName),
  spawnable: z.boolean(),
  fragments: z.array(Fragment),
  gates: z.array(ResolvedGate),
  tools: z.strictObject({
    allowed: z.array(z.string()),
    denied: z.array(z.string()),
    /** Tools that only read; left out where there is none. */
    reading: z.array(z.string()).optional(),
  }),
  shell: z.strictObject({ allowed: z.array(z.string()) }),
  checks: z.array(ResolvedCheck),
  /** Files that the person's programs run or obey and that its agents may still change, as globs. Absent is none. */
  obeyed_allowed: z.array(z.string()).min(1).optional(),
  /** The parameters that a task with this role may give. */
  accepts: z.array(z.string()),
  escalation: Escalation,
});

export type ResolvedRole = z.infer<typeof ResolvedRole>;
export type ResolvedGate = z.infer<typeof ResolvedGate>;
export type ResolvedCheck = z.infer<typeof ResolvedCheck>;
