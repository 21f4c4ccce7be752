import { spawn } from 'node:child_process';
import { VadeError } from '../../schema/errors.ts';
import { MAX_AGENT_REPORT } from '../../schema/task/verify-report.ts';
import type { FoundProgram } from '../hosts/find-program.ts';
import { atExit } from '../process/at-exit.ts';
import { killGroup } from '../process/kill-group.ts';
import { endedMarked, endMarked } from '../process/run-command.ts';

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
  readonly timeoutMs: number;
}

/** How it ended. */
export interface AgentEnd {
  readonly exit: number | null;
  readonly signal: string | null;
  readonly timed_out: boolean;
  /** What it printed; the last part of it if it was too long. */
  readonly output: Buffer;
  readonly truncated: boolean;
  /** The end of what it printed as errors. */
  readonly errors: string;
}

const MAX_ERRORS = 4096;

/**
 * Runs an agent in a process group of its own, and waits for it. Whatever it started and left in that group, or with its mark,
 * ends with it, so that nothing changes its worktree while it is judged. What made a group of its own and took the mark from
 * its environment is not reached.
 *
 * @throws argument_invalid if the program cannot be started
 */
export function runAgentProcess(agent: AgentProcess): Promise<AgentEnd> {
  return new Promise((resolve, reject) => {
    const env = { ...agent.env, PATH: agent.path, VADE_RUN: agent.mark };
    const child = spawn(agent.program, agent.args, { cwd: agent.cwd, env, detached: true });
    const end = () => {
      killGroup(child.pid);
      endMarked(agent.mark);
    };
    const forget = atExit(end);
    const output = tail(MAX_AGENT_REPORT);
    const errors = tail(MAX_ERRORS);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, agent.timeoutMs);
    child.stdout.on('data', output.add);
    child.stderr.on('data', errors.add);
    child.on('error', (error) => {
      clearTimeout(timer);
      forget();
      reject(
        new VadeError('argument_invalid', `${agent.program} cannot be started: ${error.message}`, { flag: 'program' }),
      );
    });
    child.on('exit', end);
    // it may end before it has read its prompt
    child.stdin.on('error', () => undefined);
    child.stdin.end(agent.input);
    child.on('close', (exit, signal) => {
      clearTimeout(timer);
      forget();
      const { bytes, isWhole } = output.read();
      const said = errors.read().bytes.toString('utf8');
      const ended = { exit, signal, timed_out: timedOut, output: bytes, truncated: !isWhole, errors: said };
      void endedMarked(agent.mark).then(() => {
        resolve(ended);
      });
    });
  });
}

/** Keeps the last bytes: a report comes last. */
function tail(most: number) {
  let bytes = Buffer.alloc(0);
  let isWhole = true;
  return {
    add: (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      // cut seldom: each cut copies
      if (bytes.length > 2 * most) bytes = Buffer.from(bytes.subarray(bytes.length - most));
      isWhole &&= bytes.length <= most;
    },
    read: () => ({ bytes: bytes.subarray(Math.max(0, bytes.length - most)), isWhole }),
  };
}
