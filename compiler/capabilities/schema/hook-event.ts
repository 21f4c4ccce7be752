/** The input of a PreToolUse hook, which a host writes before it runs a tool. It may have other fields. */
export interface HookEvent {
  readonly hook_event_name: 'PreToolUse';
  readonly session_id: string;
  /** The working directory of the agent; it follows `cd`. */
  readonly cwd: string;
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  /** The host's id of a subagent; absent in the session's own conversation. */
  readonly agent_id?: string;
}
