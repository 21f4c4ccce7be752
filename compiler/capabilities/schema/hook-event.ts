import { z } from 'zod';

/**
 * The input of a PreToolUse hook, which a host writes before it runs a tool. It may have fields that the gate ignores.
 */
export const HookEvent = z.looseObject({
  hook_event_name: z.literal('PreToolUse'),
  session_id: z.string().min(1).max(256),
  /** The working directory of the agent; it follows `cd`. */
  cwd: z.string().min(1).max(4096),
  tool_name: z.string().min(1).max(256),
  tool_input: z.record(z.string(), z.unknown()),
  /** The host's id of a subagent; absent in the session's own conversation. */
  agent_id: z.string().min(1).max(256).optional(),
});

export type HookEvent = z.infer<typeof HookEvent>;
