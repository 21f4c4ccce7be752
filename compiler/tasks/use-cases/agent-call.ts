import type { Composition } from '../draft-plan.ts';

/** The call that a host makes to start the agent: this program cannot call a tool of a host. */
export interface AgentCall {
  readonly tool: 'Agent';
  readonly input: {
    readonly description: string;
    readonly prompt: string;
    readonly subagent_type: string;
    /** The hook `WorktreeCreate` gives the host the agent's own worktree. */
    readonly isolation: 'worktree';
    /** The host tells when the agent has returned. */
    readonly run_in_background: true;
  };
}

export function agentCall({ task, prompt }: Composition): AgentCall {
  const { description, role, 'agent-type': type } = task.declared.task;
  return {
    tool: 'Agent',
    input: {
      description: description ?? task.id,
      prompt: prompt.toString('utf8'),
      subagent_type: type ?? role,
      isolation: 'worktree',
      run_in_background: true,
    },
  };
}
