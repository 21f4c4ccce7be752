import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { markedProcesses, runCommand } from '../../../compiler/io/process/run-command.ts';
import { tempFolder } from '../../support/folder.ts';

let marks = 0;
const SHELL = execFileSync('sh', ['-c', 'command -v sh'], { encoding: 'utf8' }).trim();

/** Runs a script of the shell, with a mark of its own. */
const sh = (script: string, more: { seconds?: number; cwd?: string } = {}) => {
  const mark = `test-${process.pid}-${marks++}`;
  const env = { PATH: process.env['PATH'] ?? '', VADE_RUN: mark };
  const cwd = more.cwd ?? tempFolder();
  const running = runCommand({ program: SHELL, args: ['-c', script], cwd, env, seconds: more.seconds ?? 20, mark });
  return running.then((ended) => ({ ended, left: markedProcesses(mark), cwd }));
};

describe('a command of a check', () => {
  test('its exit code and both outputs are told', async () => {
    const { ended } = await sh('echo out; echo err >&2; exit 3');
    expect(ended).toEqual({ end: 'exit', code: 3, stdout: 'out\n', stderr: 'err\n' });
  });

  test('a program that is not there was not started', async () => {
    const call = { args: [], cwd: tempFolder(), env: { PATH: '' }, seconds: 5, mark: 'x' };
    expect((await runCommand({ ...call, program: 'no-such-program' })).end).toBe('not_started');
    expect((await runCommand({ ...call, program: 'no\0program' })).end).toBe('not_started');
    expect((await runCommand({ ...call, program: '/bin/sh', cwd: '/no/such/folder' })).end).toBe('not_started');
  });

  test('one that takes too long is ended with all that it started', async () => {
    const { ended, left } = await sh('sleep 100 & sleep 100 & echo begun; wait', { seconds: 1 });
    expect(ended).toEqual({ end: 'too_long', seconds: 1, stdout: 'begun\n', stderr: '' });
    expect(left).toEqual([]);
  });

  test('what it leaves in the background is ended, also where it left the group and holds the output open', async () => {
    const { ended, left } = await sh('setsid sleep 100 & (sleep 100 &) ; sleep 0.2; echo done');
    expect(ended).toEqual({ end: 'exit', code: 0, stdout: 'done\n', stderr: '' });
    expect(left).toEqual([]);
  });

  test('one that prints without end is ended', async () => {
    const { ended, left } = await sh('yes');
    expect([ended.end, left]).toEqual(['too_loud', []]);
  });

  test('one that ends itself by a signal is told', async () => {
    expect((await sh('kill -TERM $$')).ended).toMatchObject({ end: 'killed', signal: 'SIGTERM' });
  });
});
