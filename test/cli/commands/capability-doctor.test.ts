import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HookReport } from '../../../compiler/capabilities/schema/hook-report.ts';
import { sweepTrials } from '../../../compiler/io/files/trial-folder.ts';
import { findProgram } from '../../../compiler/io/programs/find-program.ts';
import { tempFolder } from '../../support/folder.ts';
import { hookPlace } from '../../support/hook-place.ts';

type Place = ReturnType<typeof hookPlace>;
type Env = Record<string, string>;

const trials = () => readdirSync(tmpdir()).filter((it) => it.startsWith('vade-trial-'));

/** Report of doctor, and its exit. */
async function examine({ run }: Place, env: Env = {}, ...args: string[]) {
  const ran = await run(['doctor', ...args], env);
  const { ok, data, error } = ran.envelope();
  return { code: ran.code, report: (ok ? data : error.context) as unknown as HookReport };
}

const codesOf = ({ faults }: HookReport) => [...new Set(faults.map((it) => it.code))].sort();

/** A host on a path of its own that says a version. */
function hostOf(at: Place['at'], version: string): Env {
  const folder = at('host');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'claude'), `#!/bin/sh\ntouch "$HOME/marked"\necho '${version} (Claude Code)'\n`, {
    mode: 0o755,
  });
  return { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
}

describe('vade capability doctor', () => {
  test('an installed hook is fired with allowed and denied calls, and all is well', async () => {
    const place = hookPlace();
    await place.install();
    const before = place.read();
    const { code, report } = await examine(place, hostOf(place.at, '2.1.300'));
    expect({ code, faults: report.faults }).toEqual({ code: 0, faults: [] });
    expect(report.hooks.flatMap((it) => it.fired).map(({ call, exit, stdout }) => [call, exit, stdout])).toEqual([
      ['bound: Read of a file', 0, ''],
      ['bound: cargo check', 0, ''],
      ['bound: bash -c "git push"', 2, ''],
      ['bound: Write into the tasks folder', 2, ''],
      ['bound: Write of its own binding', 2, ''],
      ['bound: Write of the settings of hooks', 2, ''],
      ['bound: JSON that is cut', 2, ''],
      ['a person’s own session: git push', 0, ''],
      ['an unbound folder of agents: Read', 2, ''],
    ]);
    expect(report.host).toMatchObject({ version: '2.1.300', blocks_on_failure: true });
    expect(place.read()).toBe(before);
    expect(trials()).toEqual([]);
    expect(existsSync(join(place.home, 'marked'))).toBe(false);
    expect(readdirSync(join(place.repo, '.git/vade')).sort()).toEqual(['orchestrator.pem', 'trust-root.json']);
  });

  test('the host’s own sandbox is reported with its exceptions, and is no fault', async () => {
    const place = hookPlace();
    await place.install();
    place.write(JSON.stringify({ ...(JSON.parse(place.read() ?? '') as object), sandbox: { enabled: true } }));
    const { report } = await examine(place, hostOf(place.at, '2.1.300'));
    expect([report.host_sandbox, report.faults]).toEqual(['with_exceptions', []]);
  });

  test('no hook is a fault, and a host that is not on the path is none', async () => {
    const place = hookPlace();
    const { code, report } = await examine(place, { PATH: '/nowhere' });
    expect({ code, codes: codesOf(report), host: report.host.program }).toEqual({
      code: 1,
      codes: ['hook_missing'],
      host: null,
    });
  });

  test('everything around the hook that could let a call through is told', async () => {
    const place = hookPlace();
    const { repo, at, read, write } = place;
    copyFileSync('dist/compiler/capabilities/gate/vade-gate.cjs', at('vade-gate.cjs'));
    appendFileSync(at('vade-gate.cjs'), '\n');
    await place.install();
    const { hooks } = JSON.parse(read() ?? '') as { hooks: { PreToolUse: { hooks: { command: string }[] }[] } };
    const command = hooks.PreToolUse[0]?.hooks[0]?.command ?? '';
    const other = command.replace(/'[^']*vade-gate\.cjs'/, `'${at('vade-gate.cjs')}'`);
    const hook = { type: 'command', command: other, timeout: 30, onFailure: 'block' };
    write(JSON.stringify({ disableAllHooks: true, hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } }));
    mkdirSync(join(repo, '.claude'));
    writeFileSync(join(repo, '.claude/settings.local.json'), '{"disableAllHooks": true}');
    mkdirSync(`${repo}.worktrees/lost`, { recursive: true });
    writeFileSync(join(repo, '.git/vade/trust-root.json'), '{}');
    const env = { ...hostOf(at, '2.1.294'), KEI_DISABLED_HOOKS: 'all' };
    const { code, report } = await examine(place, env);
    expect(code).toBe(1);
    expect(codesOf(report)).toEqual([
      'gate_differs',
      'hooks_disabled',
      'host_too_old',
      'matcher_too_narrow',
      'pins_broken',
      'switch_set',
      'worktree_unbound',
    ]);
    expect(report.faults.filter((it) => it.code === 'hooks_disabled')).toHaveLength(2);
    // the switch does not reach the trial
    expect(report.hooks[0]?.fired.filter((it) => it.exit !== it.wanted)).toEqual([]);
  });

  test('a gate that lets everything through is found by what it answers', async () => {
    const place = hookPlace();
    const { at, read, write } = place;
    writeFileSync(at('vade-gate.cjs'), 'process.stdout.write("{}")');
    await place.install();
    write((read() ?? '').replace(/'[^']*vade-gate\.cjs'/, `'${at('vade-gate.cjs')}'`));
    const { code, report } = await examine(place);
    expect(code).toBe(1);
    expect(codesOf(report)).toEqual(['answer_unexpected', 'gate_differs']);
    expect(report.faults.filter((it) => it.code === 'answer_unexpected')).toHaveLength(9);
  });

  test('settings of any name are protected where the hook was installed, and a copy of them is not', async () => {
    const place = hookPlace();
    const [settings, copy] = [place.at('own-settings.json'), place.at('copy.json')];
    await place.install('--settings', settings);
    expect((await examine(place, {}, '--settings', settings)).report.faults).toEqual([]);
    copyFileSync(settings, copy);
    const { report } = await examine(place, {}, '--settings', copy);
    expect(report.faults.map((it) => it.message)).toEqual([expect.stringContaining('Write of the settings of hooks')]);
  });

  test('a host that lies in the repository, or is linked into it, is not started', () => {
    const root = tempFolder();
    const [repo, bin] = [join(root, 'repo'), join(root, 'bin')];
    for (const it of [repo, bin]) mkdirSync(it);
    writeFileSync(join(repo, 'claude'), '', { mode: 0o755 });
    symlinkSync(join(repo, 'claude'), join(bin, 'claude'));
    expect(findProgram('claude', `${repo}:${bin}:.`, repo)).toBeNull();
    rmSync(join(bin, 'claude'));
    writeFileSync(join(bin, 'claude'), '', { mode: 0o644 });
    expect(findProgram('claude', bin, repo)).toBeNull();
    chmodSync(join(bin, 'claude'), 0o755);
    expect(findProgram('claude', `${repo}:${bin}`, repo)).toEqual({ program: join(bin, 'claude'), path: bin });
  });

  test('an altered hook is not started', async () => {
    const place = hookPlace();
    const { at, read, write } = place;
    await place.install();
    const settings = JSON.parse(read() ?? '') as { hooks: { PreToolUse: { hooks: { command: string }[] }[] } };
    for (const it of settings.hooks.PreToolUse[0]?.hooks ?? []) it.command = `touch '${at('marked')}'; ${it.command}`;
    write(JSON.stringify(settings));
    const { report } = await examine(place);
    expect(codesOf(report)).toEqual(['hook_altered']);
    expect(report.hooks[0]?.fired).toEqual([]);
    expect(existsSync(at('marked'))).toBe(false);
  });
});

describe('vade capability doctor, of a hook that gives worktrees', () => {
  const worktreeCalls = ({ hooks }: HookReport) =>
    hooks.filter((it) => it.event === 'WorktreeCreate').flatMap((it) => it.fired);

  /** Replaces words of the hook's command in the installed settings. */
  function alter({ read, write }: Place, from: RegExp | string, to: string): void {
    const { hooks, ...rest } = JSON.parse(read() ?? '') as { hooks: Record<string, unknown> };
    const given = JSON.stringify(hooks['WorktreeCreate']).replace(from, to);
    write(JSON.stringify({ ...rest, hooks: { ...hooks, WorktreeCreate: JSON.parse(given) as unknown } }));
  }

  test('it is fired as a host does, and what it gives is bound inside and outside of the worktree', async () => {
    const place = hookPlace();
    await place.install('--worktree-hook');
    const { code, report } = await examine(place);
    expect({ code, faults: report.faults }).toEqual({ code: 0, faults: [] });
    expect(worktreeCalls(report).map(({ call, exit, stdout }) => [call, exit, stdout.replace(/^.+\//, '')])).toEqual([
      ['a person’s session starts an agent: Agent', 0, ''],
      ['a session that started nothing: WorktreeCreate', 5, ''],
      ['the session that started the agent: WorktreeCreate', 0, 'one'],
      ['the same session again: WorktreeCreate', 5, ''],
      ['in the given worktree: Read of a file', 0, ''],
      ['in the given worktree: bash -c "git push"', 2, ''],
      ['the same agent elsewhere, later: bash -c "git push"', 2, ''],
      ['the person’s session afterwards: git push', 0, ''],
      ['as installed, a session that started nothing: WorktreeCreate', 5, ''],
    ]);
    expect(trials()).toEqual([]);
    expect(readdirSync(join(place.repo, '.git/vade')).sort()).toEqual(['orchestrator.pem', 'trust-root.json']);
  });

  test('one that gives everybody a folder is found by what it answers', async () => {
    const place = hookPlace();
    await place.install('--worktree-hook');
    writeFileSync(place.at('main.js'), "process.stdout.write('/tmp\\n')");
    alter(place, /'[^']*main\.js'/, `'${place.at('main.js')}'`);
    const { code, report } = await examine(place);
    expect({ code, codes: codesOf(report) }).toEqual({ code: 1, codes: ['answer_unexpected'] });
    expect(report.faults).toHaveLength(4);
  });

  test('an altered one is not started, and one without a gate beside it is a fault', async () => {
    const place = hookPlace();
    await place.install('--worktree-hook');
    alter(place, 'NODE_OPTIONS=', `touch '${place.at('marked')}'; NODE_OPTIONS=`);
    const altered = (await examine(place)).report;
    expect([codesOf(altered), worktreeCalls(altered), existsSync(place.at('marked'))]).toEqual([
      ['hook_altered'],
      [],
      false,
    ]);
    await place.install('--worktree-hook');
    const { hooks } = JSON.parse(place.read() ?? '') as { hooks: Record<string, unknown> };
    place.write(JSON.stringify({ hooks: { WorktreeCreate: hooks['WorktreeCreate'] } }));
    const alone = (await examine(place)).report;
    expect([codesOf(alone), worktreeCalls(alone)]).toEqual([['hook_missing'], []]);
  });
});

describe('trial folders', () => {
  test('what a killed process left is swept, and that of a running one stays', async () => {
    const folder = tempFolder();
    const child = spawn('sleep', ['60']);
    const mine = `vade-trial-${process.pid}-abcdef`;
    const other = `vade-trial-${child.pid ?? 0}-abcdef`;
    for (const it of [mine, other, 'vade-trial-x', 'else']) mkdirSync(join(folder, it));
    sweepTrials(folder);
    expect(readdirSync(folder).sort()).toEqual([mine, other, 'else', 'vade-trial-x'].sort());
    child.kill('SIGKILL');
    await once(child, 'close');
    sweepTrials(folder);
    expect(readdirSync(folder).sort()).toEqual([mine, 'else', 'vade-trial-x'].sort());
  });
});
