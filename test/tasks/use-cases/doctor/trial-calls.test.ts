import { expect, test } from 'vitest';
import {
  boundCalls,
  givenCalls,
  givingCalls,
  installedCalls,
  startingCalls,
  strangersCalls,
  type TrialCall,
} from '../../../../compiler/tasks/use-cases/doctor/trial-calls.ts';
import type { Trial } from '../../../../compiler/tasks/use-cases/doctor/trial.ts';

const TRIAL = { worktree: '/t/one', tasks: '/v', binding: '/v/bindings/x.json', person: '/p' } as Trial;

/** The exit that is wanted, and the event: who calls, where, what. */
function told({ wanted, input }: TrialCall): unknown[] {
  const { tool_name, tool_input, cwd, session_id, agent_id = null } = JSON.parse(input) as Record<string, unknown>;
  return [wanted, cwd, agent_id, session_id, tool_name ?? 'WorktreeCreate', tool_input ?? null];
}

const SESSION = 'vade-doctor';

test('a bound agent reads and checks, and touches neither git nor what guards it', () => {
  const calls = boundCalls(TRIAL, '/h/settings.json');
  const at = (wanted: number, tool: string, input: object) => [wanted, '/t/one', null, SESSION, tool, input];
  expect(calls.slice(0, -1).map(told)).toEqual([
    at(0, 'Read', { file_path: '/t/one/a' }),
    at(0, 'Bash', { command: 'cargo check' }),
    at(2, 'Bash', { command: 'bash -c "git push"' }),
    ...['/v/new', '/v/bindings/x.json', '/h/settings.json'].map((file_path) =>
      at(2, 'Write', { file_path, content: '' }),
    ),
  ]);
  const cut = calls.at(-1);
  expect(cut?.wanted).toBe(2);
  expect(() => JSON.parse(cut?.input ?? '{}') as unknown).toThrow();
});

test('a person’s own session is left alone, and a folder of agents without a binding is not', () => {
  expect(installedCalls(TRIAL, '/trees').map(told)).toEqual([
    [0, '/p', null, SESSION, 'Bash', { command: 'git push' }],
    [2, '/trees/vade-doctor', null, SESSION, 'Read', { file_path: 'a' }],
  ]);
});

test('only the session that started an agent is given its worktree, and once', () => {
  expect(startingCalls(TRIAL, 'prompt').map(told)).toEqual([
    [0, '/p', null, SESSION, 'Agent', { description: 'trial', prompt: 'prompt', isolation: 'worktree' }],
  ]);
  const calls = givingCalls(TRIAL);
  const created = (wanted: number, session: string) => [wanted, '/p', null, session, 'WorktreeCreate', null];
  const own = [created(5, 'vade-doctor-other'), created(0, SESSION), created(5, SESSION)];
  expect(calls.map(told)).toEqual(own);
  expect(calls.map((it) => it.prints)).toEqual([undefined, '/t/one', undefined]);
  expect(strangersCalls(TRIAL).map(told)).toEqual([created(5, SESSION)]);
});

test('the agent stays bound in the worktree that it was given, elsewhere and later; the person never is', () => {
  const push = { command: 'bash -c "git push"' };
  const agent = 'vade-doctor-agent';
  expect(givenCalls(TRIAL).map(told)).toEqual([
    [0, '/t/one', agent, SESSION, 'Read', { file_path: '/t/one/a' }],
    [2, '/t/one', agent, SESSION, 'Bash', push],
    [2, '/p', agent, 'vade-doctor-later', 'Bash', push],
    [0, '/p', null, SESSION, 'Bash', { command: 'git push' }],
  ]);
});
