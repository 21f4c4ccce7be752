import { runProcess } from '../../../io/process/run-process.ts';
import type { FoundProgram } from '../../../io/programs/find-program.ts';
import { VadeError } from '../../../schema/errors.ts';
import { MAX_AGENT_REPORT } from '../../schema/verify-report.ts';

/** One agent as a process. */
export interface AgentProcess extends FoundProgram {
  readonly args: readonly string[];
  /** Its worktree. */
  readonly cwd: string;
  /** All of its environment but PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Value of `VADE_RUN`, which all that it starts carries. */
  readonly mark: string;
  /** The prompt. */
  readonly input: Buffer;
  readonly seconds: number;
}

/** How it ended. */
export interface AgentEnd {
  readonly exit: number | null;
  readonly signal: string | null;
  readonly timed_out: boolean;
  /** The agent's output; only the last part if it was too long. */
  readonly output: Buffer;
  readonly truncated: boolean;
}

/**
 * Runs an agent in a process group of its own, and waits for it. Processes that it left in that group, or with its
 * mark, are ended with it, so that nothing changes its worktree while it is judged. A process that made a group of its
 * own and removed the mark from its environment is not reached.
 *
 * @throws argument_invalid if the program cannot be started
 */
export async function runAgentProcess({ path, ...agent }: AgentProcess): Promise<AgentEnd> {
  const ended = await runProcess({
    ...agent,
    env: { ...agent.env, PATH: path, VADE_RUN: agent.mark },
    // a report comes last
    stdout: { bytes: MAX_AGENT_REPORT, beyond: 'keep_last' },
    stderr: { bytes: 0, beyond: 'keep_first' },
  });
  if (ended.end === 'not_started') {
    throw new VadeError('argument_invalid', `${agent.program} cannot be started: ${ended.why}`, { flag: 'program' });
  }
  return {
    exit: ended.end === 'exit' ? ended.code : null,
    signal: ended.end === 'exit' ? null : ended.end === 'killed' ? ended.signal : 'SIGKILL',
    timed_out: ended.end === 'too_long',
    output: ended.stdout,
    truncated: !ended.isWhole,
  };
}
