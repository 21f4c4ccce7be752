import { join } from 'node:path';
import type { Trial } from './trial.ts';

/** A call that a hook is given on its standard input, and the exit that it must answer with. */
export interface TrialCall {
  readonly call: string;
  readonly wanted: number;
  /** The output that it must print; nothing if absent. */
  readonly prints?: string;
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

const SESSION = 'vade-doctor';
/** The host's id for the trial's agent. */
const HOST_ID = 'vade-doctor-agent';
/** The exit code of `vade task worktree` if no agent waits. */
const NOBODY = 5;

/** A session of a person starts the trial's agent. */
export function startingCalls({ person }: Trial, prompt: string): TrialCall[] {
  const start = { description: 'trial', prompt, isolation: 'worktree' };
  return [{ call: 'a person’s session starts an agent: Agent', wanted: 0, input: eventIn(person, 'Agent', start) }];
}

/** Events `WorktreeCreate` after it. */
export function givingCalls({ person, worktree }: Trial): TrialCall[] {
  const own = created(person, SESSION);
  const other = created(person, 'vade-doctor-other');
  return [
    { call: 'a session that started nothing: WorktreeCreate', wanted: NOBODY, input: other },
    { call: 'the session that started the agent: WorktreeCreate', wanted: 0, prints: worktree, input: own },
    { call: 'the same session again: WorktreeCreate', wanted: NOBODY, input: own },
  ];
}

/** Calls of the agent in the worktree that it was given, and of the person that started it. */
export function givenCalls({ person, worktree }: Trial): TrialCall[] {
  const agent = { agent_id: HOST_ID };
  const later = { ...agent, session_id: 'vade-doctor-later' };
  const push = { command: 'bash -c "git push"' };
  const read = eventIn(worktree, 'Read', { file_path: join(worktree, 'a') }, agent);
  return [
    { call: 'in the given worktree: Read of a file', wanted: 0, input: read },
    { call: 'in the given worktree: bash -c "git push"', wanted: 2, input: eventIn(worktree, 'Bash', push, agent) },
    {
      call: 'the same agent elsewhere, later: bash -c "git push"',
      wanted: 2,
      input: eventIn(person, 'Bash', push, later),
    },
    { call: 'the person’s session afterwards: git push', wanted: 0, input: bash(person, 'git push') },
  ];
}

/** An event that the hook must refuse with the keys and folders that it really names. */
export function strangersCalls({ person }: Trial): TrialCall[] {
  const call = 'as installed, a session that started nothing: WorktreeCreate';
  return [{ call, wanted: NOBODY, input: created(person, SESSION) }];
}

function created(cwd: string, session_id: string): string {
  return JSON.stringify({ hook_event_name: 'WorktreeCreate', session_id, cwd, name: 'vade-doctor' });
}

function bash(cwd: string, command: string): string {
  return eventIn(cwd, 'Bash', { command });
}

function eventIn(cwd: string, tool_name: string, tool_input: object, more: object = {}): string {
  return JSON.stringify({ hook_event_name: 'PreToolUse', session_id: SESSION, cwd, tool_name, tool_input, ...more });
}
