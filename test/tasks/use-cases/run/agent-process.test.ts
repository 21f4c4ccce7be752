import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runAgentProcess, type AgentProcess } from '../../../../compiler/tasks/use-cases/run/agent-process.ts';
import { tempFolder } from '../../../support/folder.ts';

const LIMIT = 256 * 1024;
const SHELL = execFileSync('/bin/sh', ['-c', 'command -v sh'], { encoding: 'utf8' }).trim();

/** Runs a script of the shell as an agent. */
const run = (script: string, more: Partial<AgentProcess> = {}) =>
  runAgentProcess({
    program: SHELL,
    path: process.env['PATH'] ?? '',
    args: ['-c', script],
    cwd: tempFolder(),
    env: {},
    mark: 'an-agent-of-the-tests',
    input: Buffer.alloc(0),
    seconds: 60,
    ...more,
  });

test('an agent reads its prompt, and what it prints is its output, whole', async () => {
  const ended = await run('cat; echo lost >&2; exit 3', { input: Buffer.from('the prompt') });
  expect({ ...ended, output: ended.output.toString('utf8') }).toEqual({
    exit: 3,
    signal: null,
    timed_out: false,
    output: 'the prompt',
    truncated: false,
  });
});

test('an output of 256 KiB is whole, and of a longer one the end is kept: a report comes last', async () => {
  const print = (more: string) => run(`head -c ${LIMIT} /dev/zero | tr '\\0' x; printf '${more}'`);
  const whole = await print('');
  expect([whole.truncated, whole.output.length]).toEqual([false, LIMIT]);
  const { truncated, output } = await print('done');
  expect([truncated, output.length, output.subarray(-5).toString('utf8')]).toEqual([true, LIMIT, 'xdone']);
});

test('an agent that a signal ended, and one that took too long, have no exit code', async () => {
  expect(await run('kill -TERM $$')).toMatchObject({ exit: null, signal: 'SIGTERM', timed_out: false });
  expect(await run('exec sleep 600', { seconds: 0 })).toMatchObject({ exit: null, signal: 'SIGKILL', timed_out: true });
});

test('an agent has the environment that it is given, its PATH and the mark of the run, and nothing else', async () => {
  const folder = tempFolder();
  await run('env > env.txt; pwd > pwd.txt', { cwd: folder, env: { VADE_AGENT_ID: 'a-1', PATH: '/elsewhere' } });
  const names = readFileSync(join(folder, 'env.txt'), 'utf8').trim().split('\n');
  const own = names.filter((it) => !/^(?:_|OLDPWD|PWD|SHLVL)=/.test(it)).sort();
  expect(own).toEqual([`PATH=${process.env['PATH'] ?? ''}`, 'VADE_AGENT_ID=a-1', 'VADE_RUN=an-agent-of-the-tests']);
  expect(readFileSync(join(folder, 'pwd.txt'), 'utf8').trim()).toBe(folder);
});

test('a program that cannot be started is refused', async () => {
  await expect(run('', { program: join(tempFolder(), 'nothing') })).rejects.toMatchObject({
    code: 'argument_invalid',
    details: { flag: 'program' },
  });
});
