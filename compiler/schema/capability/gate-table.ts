import { z } from 'zod';
import { oneLine } from '../primitives.ts';

/** `<category>::<slug>`, as `capability.toml` names an atom. */
export const AtomName = z.string().regex(/^(policy|scope|quality|safety|output|tools)::[a-z0-9]+(-[a-z0-9]+)*$/);

/** A value that a task or an atom gives a gate. */
export const ParameterValue = z.union([
  z.boolean(),
  z.number(),
  z.string().max(4096),
  z.array(z.string().max(4096)).max(1024),
]);

/** Values by the name of the parameter, such as `files-whitelist`. */
export const Parameters = z.record(z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), ParameterValue);

/** What a denial does: `block` is exit 2, `warn` is exit 0 with a message, `advisory` is only logged. */
export const Severity = z.enum(['block', 'warn', 'advisory']);

/** One atom of a role as the gate reads it. */
export const GateEntry = z.strictObject({
  atom: AtomName,
  /** The registered module that decides, such as `gates::policy_no_git_ops`. */
  module: z.string().regex(/^gates::[a-z0-9]+(_[a-z0-9]+)*$/),
  /** The tool calls that it is asked about: `PreToolUse:Edit|Write`. A shell's writes are writes. */
  event: z.string().regex(/^PreToolUse:[A-Za-z]+(\|[A-Za-z]+)*$/),
  severity: Severity,
  /** The environment variable that switches it off where a bypass is approved; null if none can. */
  bypass_env: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/)
    .nullable(),
  /** Whether a role may go without it. */
  relaxable: z.boolean(),
  parameters: Parameters,
  /** Regular expressions (RE2) that are forbidden, or allowed, at the start of a program with its arguments. */
  patterns: z.array(z.string().max(1024)).max(256),
});

/** What the gate reads of a resolved role; other parts of the role are for others. */
export const GateTable = z.looseObject({
  role: oneLine(64),
  gates: z.array(GateEntry).max(64),
  tools: z.strictObject({
    /** Empty for no limit. */
    allowed: z.array(z.string().max(128)).max(256),
    denied: z.array(z.string().max(128)).max(256),
  }),
  shell: z.strictObject({
    /** Empty for no limit. */
    allowed: z.array(z.string().max(1024)).max(256),
  }),
});

export type GateEntry = z.infer<typeof GateEntry>;
export type GateTable = z.infer<typeof GateTable>;
export type ParameterValue = z.infer<typeof ParameterValue>;
export type Parameters = z.infer<typeof Parameters>;
export type Severity = z.infer<typeof Severity>;
