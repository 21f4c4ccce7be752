import { hookFor, type HookLine } from '../../../capabilities/hooks/hook-command.ts';
import { runProgram } from '../../../io/hosts/run-program.ts';
import type { FiredCall, HookFault } from '../../../schema/capability/hook-report.ts';
import { printable } from '../../../schema/diagnostics.ts';
import { boundCalls, installedCalls, type TrialCall } from './trial-calls.ts';
import type { Trial } from './trial.ts';

/** What would bind or loosen the calls besides the hook itself. */
const LEFT_OUT = ['VADE_AGENT_ID', 'KEI_DISABLED_HOOKS', 'KEI_HOOK_PROFILE'];

/**
 * Starts a hook's command as the host does, once for each call: with the trial's bindings and keys in place of the
 * hook's, whose orchestrator alone could bind anything, and then exactly as it is installed.
 */
export async function fireHook(
  line: HookLine,
  trial: Trial,
  settings: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FiredCall[]> {
  const { tasks, key, root, worktrees } = trial;
  const bound = hookFor({ ...line, tasks, key, root, worktrees });
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !LEFT_OUT.includes(name)));
  const fired: FiredCall[] = [];
  // one after the other: the gate remembers callers
  for (const it of boundCalls(trial, settings)) fired.push(await fire(bound, it, trial, clean));
  for (const it of installedCalls(trial, line.worktrees)) fired.push(await fire(hookFor(line), it, trial, clean));
  return fired;
}

async function fire(
  { command, timeout }: ReturnType<typeof hookFor>,
  { call, wanted, input }: TrialCall,
  { person: cwd }: Trial,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FiredCall> {
  const run = { program: '/bin/sh', args: ['-c', command], cwd, env, input, timeoutMs: timeout * 1000 };
  const { exit, stdout, stderr } = await runProgram(run);
  return { call, wanted, exit, stdout: readable(stdout), stderr: readable(stderr) };
}

/** What a hook said, line by line: it is another program’s output. */
function readable(output: string): string {
  return output.trimEnd().split('\n').map(printable).join('\n');
}

/** Answers that are not as they must be: the wrong exit, or anything said where silence lets the host ask the person. */
export function judgeAnswers(fired: readonly FiredCall[]): HookFault[] {
  const wrong = fired.filter(
    (it) => it.exit !== it.wanted || it.stdout !== '' || (it.wanted === 0 && it.stderr !== ''),
  );
  return wrong.map(({ call, wanted, exit }) => ({
    code: 'answer_unexpected',
    message: `${call}: exit ${exit ?? 'none'}, and it must be ${wanted}${exit === wanted ? ' without output' : ''}`,
    fix: 'vade capability install',
  }));
}
