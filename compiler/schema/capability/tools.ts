import { z } from 'zod';

/** Tools that a gate can see; `Task` is an earlier name of `Agent`. */
const GATED_TOOLS = ['Bash', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Agent'] as const;

/** The name of a tool of the host; `*` in a list stands for all of them. */
export const ToolName = z
  .string()
  .max(128)
  .regex(/^(?:\*|[A-Za-z][A-Za-z0-9_-]*)$/, 'write the name of a tool, such as Edit');

const PREFIX = 'PreToolUse:';
const EVENT = new RegExp(`^${PREFIX}(?:${GATED_TOOLS.join('|')})(?:\\|(?:${GATED_TOOLS.join('|')}))*$`);

/** When a gate is asked: `PreToolUse:Bash`, `PreToolUse:Edit|Write`, `PreToolUse:Agent`. */
export const GateEventName = z
  .string()
  .max(128)
  .regex(EVENT, `write it as ${PREFIX} and tools joined by |, of ${GATED_TOOLS.join(', ')}`);

export const Severity = z.enum(['block', 'warn', 'advisory']);
export const RunMode = z.enum(['worktree', 'simulated-merge', 'both']);
export const CheckTime = z.enum(['on-return', 'per-tool-call']);
export const Escalation = z.enum(['ask-via-return', 'orchestrator-notify', 'fail-fast']);

export type Severity = z.infer<typeof Severity>;
export type RunMode = z.infer<typeof RunMode>;
export type Escalation = z.infer<typeof Escalation>;
