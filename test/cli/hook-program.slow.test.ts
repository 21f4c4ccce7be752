import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import { MAIN } from '../support/cli.ts';
import { hookedProject, type HookedProject } from '../support/hooked-project.ts';
import { vadeOnPath } from '../support/vade-on-path.ts';

let project: HookedProject;
beforeAll(async () => {
  project = await hookedProject();
});

const START = JSON.stringify({ hook_event_name: 'SessionStart', source: 'startup', session_id: 'program' });

function hook(input: string, ...flags: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'hook', ...flags], {
    cwd: project.repo.path,
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('The program that hosts start', () => {
  test('answers an event on stdout, and says nothing else', () => {
    const { status, stdout, stderr } = hook(START, '--dev', '--agent', 'assistant');
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { hookEventName: 'SessionStart' } });
  });

  test.each([
    ['a flag that it does not know', START, ['--dev', '--agent', 'assistant', '--other']],
    ['no agent', START, ['--dev']],
    [
      'a prompt to an agent that is not there',
      '{"hook_event_name":"UserPromptSubmit","prompt":"x"}',
      ['--dev', '--agent', 'x'],
    ],
    ['no trust root', '{"hook_event_name":"UserPromptSubmit","prompt":"x"}', ['--agent', 'assistant']],
  ])('ends with 0 at %s, prints nothing for the host, and says why on stderr', (_what, input, flags) => {
    const { status, stdout, stderr } = hook(input, ...flags);
    expect([status, stdout, stderr === '']).toEqual([0, '', false]);
  });

  test('ends with 0 and in silence for what is no event', () => {
    for (const input of ['', 'null', '{', 'x'.repeat(1_000_000)])
      expect(hook(input, '--dev', '--agent', 'assistant')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('ends with 0 and in silence though its stdin never ends', async () => {
    const started = spawn(process.execPath, [MAIN, 'hook', '--dev', '--agent', 'assistant'], {
      cwd: project.repo.path,
    });
    afterFile(() => started.kill('SIGKILL'));
    started.stdin.write(START);
    let said = '';
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (part: Buffer) => (said += String(part)));
    const status = await new Promise((done) => started.once('close', done));
    expect([status, said]).toEqual([0, '']);
  });

  test('uses the development root only where git does not track it', () => {
    const { repo } = project;
    repo.git('add', '--force', '.vade/dev-trust.json');
    const prompt = '{"hook_event_name":"UserPromptSubmit","prompt":"give the customer their money back"}';
    const { status, stdout, stderr } = hook(prompt, '--dev', '--agent', 'assistant');
    expect([status, stdout, stderr.includes('git tracks')]).toEqual([0, '', true]);
    repo.git('rm', '--cached', '--quiet', '.vade/dev-trust.json');
  });
});

describe('The lines that vade init writes', () => {
  const lines = () => {
    const settings = JSON.parse(readFileSync(join(project.repo.path, '.claude/settings.json'), 'utf8')) as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    return Object.entries(settings.hooks).map(([event, [group]]) => [event, group?.hooks[0]?.command ?? ''] as const);
  };
  const run = (command: string, path: string) =>
    spawnSync('/bin/sh', ['-c', command], {
      cwd: '/',
      env: { PATH: path, CLAUDE_PROJECT_DIR: project.repo.path },
      input: START,
      encoding: 'utf8',
    });

  test('end with 0 without vade, and only the one at a start says that it is missing', () => {
    const ends = lines().map(([event, command]) => {
      const { status, stdout } = run(command, '/nowhere');
      return [event, status, stdout !== ''];
    });
    expect(ends).toEqual([
      ['SessionStart', 0, true],
      ['UserPromptSubmit', 0, false],
      ['PreToolUse', 0, false],
      ['SubagentStart', 0, false],
    ]);
  });

  test('work from any folder of the session', () => {
    const path = `${vadeOnPath()}:/usr/bin:/bin`;
    expect(run(lines()[0]?.[1] ?? '', path).stdout).toContain('You are **Assistant**');
  });
});
