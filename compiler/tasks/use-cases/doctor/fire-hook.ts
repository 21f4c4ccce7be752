import {
  hookFor,
  worktreeHookFor,
  type Hook,
  type HookLine,
  type WorktreeLine,
} from '../../../capabilities/hooks/hook-command.ts';
import type { FiredCall, HookFault } from '../../../capabilities/schema/hook-report.ts';
import { runProgram } from '../../../io/programs/run-program.ts';
import { printable } from '../../../schema/diagnostics.ts';
import {
  boundCalls,
  givenCalls,
  givingCalls,
  installedCalls,
  startingCalls,
  strangersCalls,
  type TrialCall,
} from './trial-calls.ts';
import type { Trial } from './trial.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Variables that would bind or loosen the calls besides the hook itself. */
const LEFT_OUT = ['VADE_AGENT_ID', 'KEI_DISABLED_HOOKS', 'KEI_HOOK_PROFILE'];

/**
 * Starts a hook's command as the host does, once for each call: with the trial's bindings and keys in place of the
 * hook's, whose orchestrator alone could bind anything, and then exactly as it is installed.
 */
export async function fireHook(line: HookLine, trial: Trial, settings: string, env: Env): Promise<FiredCall[]> {
  return [
    ...(await fire(hookFor(inTrial(line, trial)), boundCalls(trial, settings), trial, env)),
    ...(await fire(hookFor(line), installedCalls(trial, line.worktrees), trial, env)),
  ];
}

/** The same line with the bindings and keys of a trial. */
function inTrial<T>(line: T, { tasks, key, root, worktrees }: Trial): T {
  return { ...line, tasks, key, root, worktrees };
}

/**
 * Lets a session of a trial start the trial's agent as a host does: the gate notes the start, the hook gives the
 * worktree, and the first call from there binds the host's id. Then the hook is asked exactly as it is installed.
 *
 * @param prompt of the trial's agent
 */
export async function fireWorktreeHook(
  line: WorktreeLine,
  gate: HookLine,
  trial: Trial,
  prompt: string,
  env: Env,
): Promise<FiredCall[]> {
  const asked = hookFor(inTrial(gate, trial));
  return [
    ...(await fire(asked, startingCalls(trial, prompt), trial, env)),
    ...(await fire(worktreeHookFor(inTrial(line, trial)), givingCalls(trial), trial, env)),
    ...(await fire(asked, givenCalls(trial), trial, env)),
    ...(await fire(worktreeHookFor(line), strangersCalls(trial), trial, env)),
  ];
}

/** One after the other: the gate remembers callers. */
async function fire(hook: Hook, calls: readonly TrialCall[], { person: cwd }: Trial, env: Env): Promise<FiredCall[]> {
  const { command, timeout } = hook;
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !LEFT_OUT.includes(name)));
  const fired: FiredCall[] = [];
  for (const { call, wanted, prints = '', input } of calls) {
    const run = { program: '/bin/sh', args: ['-c', command], cwd, env: clean, input, seconds: timeout };
    const { exit, stdout, stderr } = await runProgram(run);
    fired.push({ call, wanted, wanted_stdout: prints, exit, stdout: readable(stdout), stderr: readable(stderr) });
  }
  return fired;
}

/** The output of a hook, made printable line by line: it comes from another program. */
function readable(output: string): string {
  return output.trimEnd().split('\n').map(printable).join('\n');
}

/**
 * Faults for wrong answers: the wrong exit, a path other than the worktree's, or any output where silence lets the host
 * ask the user.
 */
export function judgeAnswers(fired: readonly FiredCall[]): HookFault[] {
  const wrong = fired.filter(
    ({ exit, wanted, stdout, wanted_stdout, stderr }) =>
      exit !== wanted || stdout !== wanted_stdout || (wanted === 0 && wanted_stdout === '' && stderr !== ''),
  );
  return wrong.map(({ call, wanted, wanted_stdout, exit }) => ({
    code: 'answer_unexpected',
    message: `${call}: exit ${exit ?? 'none'}; expected exit ${wanted}${exit === wanted ? ` with ${wanted_stdout || 'no output'}` : ''}`,
    fix: 'vade capability install',
  }));
}
