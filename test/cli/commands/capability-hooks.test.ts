import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostSandboxOf } from '../../../compiler/capabilities/hooks/host-sandbox.ts';
import { openSettings, saveSettings } from '../../../compiler/capabilities/use-cases/settings-file.ts';
import type { World } from '../../../compiler/world/world.ts';
import { callIn, hookPlace } from '../../support/hook-place.ts';
import { asNobody } from '../../support/unprivileged.ts';

const FOREIGN = {
  $schema: 'https://json.schemastore.org/claude-code-settings.json',
  env: { TOKEN: 'x', RATIO: 1.5 },
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [{ type: 'command', command: 'mine.sh' }] },
      { matcher: '*', hooks: [{ type: 'command', command: 'other.sh', timeout: 3 }] },
    ],
    Stop: [{ hooks: [{ type: 'command', command: 'done.sh' }] }],
  },
  permissions: { deny: ['Read(./.env)'] },
};
const text = (value: unknown, indent: number | string = 2) => `${JSON.stringify(value, null, indent)}\n`;

describe('vade capability install', () => {
  test('the host asks the gate before every tool, by absolute paths, and blocks if it cannot', async () => {
    const { install, read, repo, trust } = hookPlace();
    expect((await install()).envelope().data['effect']).toBe('changed');
    const { hooks } = JSON.parse(read() ?? '') as { hooks: { PreToolUse: { matcher: string; hooks: object[] }[] } };
    const [entry] = hooks.PreToolUse;
    expect(entry).toMatchObject({ matcher: '*', hooks: [{ type: 'command', onFailure: 'block' }] });
    expect(readFileSync(join(repo, '.git/vade/trust-root.json'))).toEqual(trust.root.envelope);
  });

  test('settings of the host’s own sandbox are proposed on request, guard what guards the agents, and are not written', async () => {
    const { install, read, repo, home } = hookPlace();
    const proposed = (await install('--host-sandbox')).envelope().data['host_sandbox'];
    expect(hostSandboxOf(proposed as Record<string, unknown>)).toBe('on');
    expect(proposed).toMatchObject({
      sandbox: {
        failIfUnavailable: true,
        filesystem: {
          denyWrite: expect.arrayContaining([`/${join(repo, '.git')}`, `/${join(home, '.claude')}`]) as unknown,
          denyRead: expect.arrayContaining(['~/.ssh', '~/.npmrc']) as unknown,
        },
      },
    });
    expect(JSON.parse(read() ?? '')).not.toHaveProperty('sandbox');
    expect((await install()).envelope().data['host_sandbox']).toBeNull();
  });

  test('a second time nothing changes, and a newer key takes the place of the earlier one', async () => {
    const { install, read, commands, at, admins } = hookPlace();
    await install();
    const first = read();
    expect((await install()).envelope().data['effect']).toBe('noop');
    expect(read()).toBe(first);
    writeFileSync(at('orchestrator.pem'), admins[0].signer.publicPem);
    expect((await install()).envelope().data['effect']).toBe('changed');
    expect(commands()).toHaveLength(1);
    expect(commands()[0]).toContain(admins[0].signer.keyid);
  });

  test.each([2, 4, '\t'])('other settings stay, and uninstall gives the same bytes back (%o)', async (indent) => {
    const { install, run, write, read, commands } = hookPlace();
    write(text(FOREIGN, indent));
    await install();
    expect(commands().slice(0, 2)).toEqual(['mine.sh', 'other.sh']);
    const { hooks, ...rest } = JSON.parse(read() ?? '') as typeof FOREIGN;
    expect({ ...rest, Stop: hooks.Stop }).toEqual({
      $schema: FOREIGN.$schema,
      env: FOREIGN.env,
      permissions: FOREIGN.permissions,
      Stop: FOREIGN.hooks.Stop,
    });
    expect((await run(['uninstall'])).envelope().data['effect']).toBe('changed');
    expect(read()).toBe(text(FOREIGN, indent));
    expect((await run(['uninstall'])).envelope().data['effect']).toBe('noop');
  });

  test('where there were no settings there are none after uninstall', async () => {
    const { install, run, read } = hookPlace();
    await install();
    await run(['uninstall']);
    expect(read()).toBeNull();
  });

  test.each([
    ['a comment', '{\n  // mine\n  "model": "opus"\n}\n', 'has comments'],
    ['a byte-order mark', '\uFEFF{ "model": "opus" }\n', 'byte-order mark'],
  ])('settings with %s are refused, and stay as they are', async (_, content, why) => {
    const { install, write, read } = hookPlace();
    write(content);
    const ran = await install();
    expect(ran.envelope().error).toMatchObject({ code: 'ARGUMENT_INVALID' });
    expect(ran.stdout).toContain(why);
    expect(read()).toBe(content);
  });

  test('a dry run writes nothing, neither settings nor keys', async () => {
    const { install, read, repo } = hookPlace();
    expect((await install('--dry-run')).envelope().data['effect']).toBe('would_change');
    expect(read()).toBeNull();
    expect(readdirSync(join(repo, '.git'))).not.toContain('vade');
  });

  test('a link that leaves the home is refused; one inside it is written through, with its mode', async () => {
    const { install, settings, at, home } = hookPlace();
    writeFileSync(at('target.json'), '{}');
    mkdirSync(join(home, '.claude'));
    symlinkSync(at('target.json'), settings);
    expect((await install()).envelope().error.code).toBe('ARGUMENT_INVALID');
    expect(readFileSync(at('target.json'), 'utf8')).toBe('{}');
    mkdirSync(join(home, 'dotfiles'));
    writeFileSync(join(home, 'dotfiles/claude.json'), '{}', { mode: 0o640 });
    symlinkSync('../dotfiles/claude.json', join(home, '.claude/own.json'));
    expect((await install('--settings', join(home, '.claude/own.json'))).envelope().ok).toBe(true);
    expect(lstatSync(join(home, '.claude/own.json')).isSymbolicLink()).toBe(true);
    expect(statSync(join(home, 'dotfiles/claude.json')).mode & 0o777).toBe(0o640);
  });

  test('a folder that cannot be written leaves the settings as they were, and no half file', () => {
    const { root, home, settings, write, read } = hookPlace();
    chmodSync(root, 0o755);
    write('{"model":"opus"}');
    const file = openSettings(undefined, { cwd: home, env: { HOME: home } } as unknown as World);
    chmodSync(join(home, '.claude'), 0o555);
    const save = () => {
      asNobody(() => {
        saveSettings(file, { changed: true });
      });
    };
    expect(save).toThrow(expect.objectContaining({ code: 'output_failed' }));
    chmodSync(join(home, '.claude'), 0o755);
    expect(read()).toBe('{"model":"opus"}');
    expect(readdirSync(join(settings, '..'))).toEqual(['settings.json']);
  });

  test('a disk that takes no more bytes leaves the settings as they were', () => {
    const { home, repo, settings, write, read, pins } = hookPlace();
    write('{"model":"opus"}');
    const words = [process.execPath, 'dist/compiler/cli/main.js', 'capability', 'install', '--repo', repo, ...pins];
    const script = `trap '' XFSZ; ulimit -f 0; exec "$@" | cat`;
    const { stdout } = spawnSync('bash', ['-c', script, 'bash', ...words], {
      env: { PATH: process.env['PATH'], HOME: home },
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'OUTPUT_FAILED' } });
    expect(read()).toBe('{"model":"opus"}');
    expect(readdirSync(join(settings, '..'))).toEqual(['settings.json']);
  });

  test('settings that somebody else changes meanwhile are not overwritten', () => {
    const { home, write, read } = hookPlace();
    write('{}');
    const file = openSettings(undefined, { cwd: home, env: { HOME: home } } as unknown as World);
    write('{"theirs":1}');
    expect(() => {
      saveSettings(file, { ours: 1 });
    }).toThrow(expect.objectContaining({ code: 'file_locked' }));
    expect(read()).toBe('{"theirs":1}');
  });

  test('a folder without a repository is told', async () => {
    const { run, root, pins } = hookPlace();
    expect((await run(['install', ...pins, '--repo', root])).envelope().error.code).toBe('SOURCE_NOT_FOUND');
  });
});

describe('an installed hook', () => {
  test('another node on the path, and what the environment would load, is not run', async () => {
    const { install, commands, fire, repo, at } = hookPlace();
    await install();
    mkdirSync(at('bin'));
    writeFileSync(at('bin/node'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    writeFileSync(at('evil.cjs'), 'process.exit(0)');
    const env = { PATH: `${at('bin')}:${process.env['PATH'] ?? ''}`, NODE_OPTIONS: `--require ${at('evil.cjs')}` };
    const [command = ''] = commands();
    expect(fire(command, '{', env).exit).toBe(2);
    expect(fire(command, callIn(repo, 'git push'), env)).toEqual({ exit: 0, stdout: '', stderr: '' });
  });

  test('a gate that is gone blocks: the specification would have let the call through', async () => {
    const { install, commands, fire, repo } = hookPlace();
    await install();
    const [command = ''] = commands();
    for (const gone of ['vade-gate.cjs', 'bin/node']) {
      const { exit, stderr } = fire(command.replace(gone, `${gone}.gone`), callIn(repo, 'ls'));
      expect(exit).toBe(2);
      expect(stderr).toContain('vade capability install');
    }
  });

  test('vade gate answers as the file does', async () => {
    const { install, commands, repo } = hookPlace();
    await install();
    const [, words = ''] = /vade-gate\.cjs' (.*?) \|\|/.exec(commands()[0] ?? '') ?? [];
    const ask = (input: string) =>
      spawnSync('sh', ['-c', `'${process.execPath}' dist/compiler/cli/main.js gate ${words}`], { input });
    const denied = ask('{');
    expect([denied.status, denied.stdout.toString()]).toEqual([2, '']);
    expect(denied.stderr.toString()).toContain('Instead:');
    const allowed = ask(JSON.stringify(callIn(repo, 'git push')));
    expect([allowed.status, allowed.stdout.toString()]).toEqual([0, '']);
  });
});
