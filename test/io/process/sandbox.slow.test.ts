import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markedProcesses } from '../../../compiler/io/process/marked-processes.ts';
import { runProcess } from '../../../compiler/io/process/run-process.ts';
import { findSandbox, type Sandbox } from '../../../compiler/io/process/sandbox.ts';
import { tempFolder } from '../../support/folder.ts';
import { describeIfThere } from '../../support/loudly.ts';

const PATH = process.env['PATH'] ?? '';

/** Folders of a run, and secrets beside them. */
function places() {
  const root = tempFolder();
  const at = (name: string) => join(root, name);
  for (const it of ['run/check', 'run/git', 'repo', 'home/.ssh', 'home/bin']) mkdirSync(at(it), { recursive: true });
  for (const it of ['home/.ssh/id', 'home/.npmrc', 'orchestrator.pem']) writeFileSync(at(it), 'secret');
  const hidden = [at('orchestrator.pem'), at('agent.sock')];
  const confinement = { readOnly: [at('repo'), at('run/git')], home: at('home'), hidden };
  return { at, confinement, check: at('run/check') };
}

const MISSING = await Promise.all(
  (['bwrap', 'unshare'] as const).map(async (name) => {
    const { confinement, check } = places();
    const found = await findSandbox(confinement, { PATH }, name, check).catch(String);
    return [name, typeof found === 'string' ? found : ''] as const;
  }),
);

for (const [name, missing] of MISSING) {
  describeIfThere(
    missing === '',
    `the sandbox of ${name}`,
    missing,
  )(`the sandbox of ${name}`, () => {
    /** Runs a script of the shell in it. */
    async function inside(script: string, { confinement, check }: ReturnType<typeof places>) {
      const mark = `box-${process.pid}-${name}`;
      const env = { PATH, VADE_RUN: mark };
      const sandbox: Sandbox = await findSandbox(confinement, env, name, check);
      const [program = '', ...args] = sandbox.wrap(['sh', '-c', script], { cwd: check, writable: check });
      const ended = await runProcess({ program, args, cwd: check, env, seconds: 20, mark });
      return { ended, left: markedProcesses(mark) };
    }

    test('only the folder of the check can be written: not the repository, nor the home, nor the git of the run', async () => {
      const place = places();
      const { at } = place;
      const write = ['repo', 'home/bin', 'run/git', 'run/check'].map((it) => `echo x > ${at(it)}/x`).join('; ');
      const script = `${write}; umount ${at('repo')}; mount -o remount,bind,rw ${at('repo')}; echo x > ${at('repo')}/x; exit 4`;
      expect((await inside(script, place)).ended).toMatchObject({ end: 'exit', code: 4 });
      const written = ['repo', 'home/bin', 'run/git', 'run/check'].map((it) => existsSync(join(at(it), 'x')));
      expect(written).toEqual([false, false, false, true]);
    });

    test('keys of the home, the key of the orchestrator and sockets of the person are gone', async () => {
      const place = places();
      const { at } = place;
      const agent = createServer().listen(at('agent.sock'));
      await once(agent, 'listening');
      const secrets = ['home/.ssh/id', 'home/.npmrc', 'orchestrator.pem'].map(at).join(' ');
      await inside(`cat ${secrets} > seen; test -S ${at('agent.sock')} && echo socket >> seen; true`, place);
      agent.close();
      expect(readFileSync(at('run/check/seen'), 'utf8')).toBe('');
    });

    test('no process outlives the command, and none of outside is seen', async () => {
      const place = places();
      const { left } = await inside(`setsid sleep 100 & cat /proc/[0-9]*/environ > seen; true`, place);
      expect(left).toEqual([]);
      expect(readFileSync(place.at('run/check/seen'), 'utf8')).not.toContain('VITEST');
      expect(readdirSync(place.check)).toEqual(['seen']);
    });
  });
}

describe('a machine without a sandbox', () => {
  test('is told by the name of none, unless a sandbox was asked for by name', async () => {
    const { confinement, check } = places();
    const find = (choice: 'auto' | 'bwrap' | 'unshare') => findSandbox(confinement, { PATH: '' }, choice, check);
    expect((await find('auto')).name).toBe('none');
    for (const it of ['bwrap', 'unshare'] as const) {
      await expect(find(it)).rejects.toMatchObject({ code: 'work_unjudged' });
    }
  });
});
