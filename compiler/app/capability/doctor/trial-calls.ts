import { join } from 'node:path';
import type { Trial } from './trial.ts';

/** A call that a hook is given on its standard input, and the exit that it must answer with. */
export interface TrialCall {
  readonly call: string;
  readonly wanted: 0 | 2;
  readonly input: string;
}

/** Calls of the bound agent of a trial. @param settings the file that the hook was read from */
export function boundCalls({ worktree, tasks, binding }: Trial, settings: string): TrialCall[] {
  const write = (file_path: string) => eventIn(worktree, 'Write', { file_path, content: '' });
  return [
    { call: 'bound: Read of a file', wanted: 0, input: eventIn(worktree, 'Read', { file_path: join(worktree, 'a') }) },
    { call: 'bound: cargo check', wanted: 0, input: bash(worktree, 'cargo check') },
    { call: 'bound: bash -c "git push"', wanted: 2, input: bash(worktree, 'bash -c "git push"') },
    { call: 'bound: Write into the tasks folder', wanted: 2, input: write(join(tasks, 'new')) },
    { call: 'bound: Write of its own binding', wanted: 2, input: write(binding) },
    { call: 'bound: Write of the settings of hooks', wanted: 2, input: write(settings) },
    { call: 'bound: JSON that is cut', wanted: 2, input: bash(worktree, 'cargo check').slice(0, -2) },
  ];
}

/** Calls that the hook must answer with the keys and folders that it really names. */
export function installedCalls({ person }: Trial, worktrees: string): TrialCall[] {
  const stray = join(worktrees, 'vade-doctor');
  return [
    { call: 'a person’s own session: git push', wanted: 0, input: bash(person, 'git push') },
    { call: 'an unbound folder of agents: Read', wanted: 2, input: eventIn(stray, 'Read', { file_path: 'a' }) },
  ];
}

function bash(cwd: string, command: string): string {
  return eventIn(cwd, 'Bash', { command });
}

function eventIn(cwd: string, tool_name: string, tool_input: object): string {
  return JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 'vade-doctor', cwd, tool_name, tool_input });
}
