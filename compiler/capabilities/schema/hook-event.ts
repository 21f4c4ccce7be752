import { z } from 'zod';

/** What a host writes to a PreToolUse hook before it runs a tool. Fields that the gate does not read may be there too. */
export const HookEvent = z.looseObject({
  hook_event_name: z.literal('PreToolUse'),
  session_id: z.string().min(1).max(256),
  /** Where the agent is; it follows `cd`. */
  cwd: z.string().min(1).max(4096),
  tool_name: z.string().min(1).max(256),
  tool_input: z.record(z.string(), z.unknown()),
  /** The host's id of a subagent; absent in the session's own conversation. */
  agent_id: z.string().min(1).max(256).optional(),
});

export type HookEvent = z.infer<typeof HookEvent>;
