import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { markedProcesses } from '../../../compiler/io/process/marked-processes.ts';
import { inheritedFiles, type ProcessRun, runProcess } from '../../../compiler/io/process/run-process.ts';
import { tempFolder } from '../../support/folder.ts';

let marks = 0;
const SHELL = execFileSync('sh', ['-c', 'command -v sh'], { encoding: 'utf8' }).trim();

/** Runs a script of the shell, with a mark of its own. */
const sh = async (script: string, more: Partial<ProcessRun> = {}) => {
  const mark = `test-${process.pid}-${marks++}`;
  const env = { PATH: process.env['PATH'] ?? '', VADE_RUN: mark };
  const run = { program: SHELL, args: ['-c', script], cwd: tempFolder(), env, seconds: 20, mark, ...more };
  const { isWhole, ...ended } = { isWhole: true, ...(await runProcess(run)) };
  const printed = 'stdout' in ended ? { stdout: String(ended.stdout), stderr: String(ended.stderr) } : {};
  return { ended: { ...ended, ...printed }, isWhole, left: markedProcesses(mark) };
};

describe('a program that is run', () => {
  test('its exit code and both outputs are told', async () => {
    const { ended } = await sh('echo out; echo err >&2; exit 3');
    expect(ended).toEqual({ end: 'exit', code: 3, stdout: 'out\n', stderr: 'err\n' });
  });

  test('a program that is not there was not started', async () => {
    const call = { args: [], cwd: tempFolder(), env: { PATH: '' }, seconds: 5, mark: 'x' };
    expect((await runProcess({ ...call, program: 'no-such-program' })).end).toBe('not_started');
    expect((await runProcess({ ...call, program: 'no\0program' })).end).toBe('not_started');
    expect((await runProcess({ ...call, program: '/bin/sh', cwd: '/no/such/folder' })).end).toBe('not_started');
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

  test.each([
    ['keep_first', 'abc', 'ab'],
    ['keep_last', 'xyz', 'cz'],
  ] as const)(
    'beyond a limit with %s it goes on, and that part of its output is kept',
    async (beyond, stdout, stderr) => {
      const script = 'printf abc; for i in 1 2 3 4 5; do sleep 0.02; printf "$i"; done; printf xyz; printf "abcz" >&2';
      const { ended, isWhole } = await sh(script, { stdout: { bytes: 3, beyond }, stderr: { bytes: 2, beyond } });
      expect([ended, isWhole]).toEqual([{ end: 'exit', code: 0, stdout, stderr }, false]);
    },
  );

  test('an output of exactly the limit is whole, and nothing of it is lost', async () => {
    for (const beyond of ['end', 'keep_first', 'keep_last'] as const) {
      const { ended, isWhole } = await sh('printf abc', { stdout: { bytes: 3, beyond } });
      expect([ended, isWhole]).toEqual([{ end: 'exit', code: 0, stdout: 'abc', stderr: '' }, true]);
    }
  });

  test('its input comes whole and is closed after it; without one stdin is empty', async () => {
    const input = 'x'.repeat(300_000);
    expect((await sh('echo $(wc -c)', { input })).ended).toMatchObject({ stdout: '300000\n' });
    expect((await sh('echo $(wc -c)')).ended).toMatchObject({ stdout: '0\n' });
    expect((await sh('exit 0', { input })).ended).toMatchObject({ end: 'exit', code: 0 });
  });

  test('it has the environment that it is given, and nothing of this process', async () => {
    vi.stubEnv('VADE_SECRET', 'secret');
    const { ended } = await sh('echo "${VADE_SECRET-none} $GIVEN"', { env: { GIVEN: 'given' } });
    vi.unstubAllEnvs();
    expect(ended).toMatchObject({ stdout: 'none given\n' });
  });

  test('one that ends itself by a signal is told', async () => {
    expect((await sh('kill -TERM $$')).ended).toMatchObject({ end: 'killed', signal: 'SIGTERM' });
  });
});

test('files that this program opened are not inherited by its children', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'x'), '');
  const file = openSync(join(folder, 'x'), 'r');
  expect(inheritedFiles()).not.toContain(file);
  closeSync(file);
});

// Node itself closes only those that come before the first gap
test('a folder and a file with which this program was started are not handed to what it runs', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'secret'), 'secret');
  const built = resolve('dist/compiler/io/process/run-process.js');
  const run = { program: 'sh', args: ['-c', 'ls /proc/self/fd/57/; cat /proc/self/fd/58; echo end'], cwd: '/' };
  const code = `const { runProcess } = await import(${JSON.stringify(built)});
    const { readdirSync } = await import('node:fs');
    const run = { ...${JSON.stringify(run)}, env: process.env, seconds: 20 };
    console.log(readdirSync('/proc/self/fd/57/').join(), String((await runProcess(run)).stdout));`;
  const files = [folder, join(folder, 'secret')].map((it) => openSync(it, 'r'));
  const others = Array.from({ length: 54 }, () => 'ignore' as const);
  const stdio = ['ignore', 'pipe', 'inherit', ...others, ...files] as const;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    stdio: [...stdio],
  });
  for (const it of files) closeSync(it);
  expect(stdout.trim()).toBe('secret end');
});
