import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../../../compiler/tasks/schema/verify-report.ts';
import { tempFolder } from '../../../support/folder.ts';
import { describeWhere } from '../../../support/loudly.ts';
import { orchestrated, type Orchestrated } from '../../../support/orchestrated.ts';
import { isConfinable } from '../../../support/sandboxes.ts';
import { COMMITTER, taskToml } from '../../../support/tasks.ts';

const REPORT = '[output]\nreport-fields-required = ["result"]\n';

let place: Orchestrated;
let programs: string;
/** A folder of PATH before all others, that its user may write. */
let early: string;
beforeAll(async () => {
  const roles = ['edit-local', 'edit-shared', 'explorer', 'git-ops', 'read-only', 'committer'];
  place = await orchestrated((repo) => repo.write('instructions/roles/committer.toml', COMMITTER), roles);
  programs = tempFolder();
  early = tempFolder();
  const scope = '[scope]\nfiles-whitelist = ["src/**"]\n[output]\nreport-fields-required = ["result"]\n';
  place.task('mend', taskToml('edit-local', 'Mend it.', scope));
  place.task('commit', taskToml('committer', 'Commit it.', REPORT));
  place.task('read', taskToml('explorer', 'Read it.', REPORT));
  const words = ['capability', 'install', ...place.trust, '--orchestrator', place.keyFile];
  const installed = await place.run([...words, '--settings', join(place.home, 'settings.json')], { HOME: place.home });
  expect(installed.envelope().ok).toBe(true);
});

/** Runs a script of Node as an agent; what it prints is its report. */
async function run(script: string, more: readonly string[] = [], path = '', task = 'mend') {
  const program = join(programs, 'agent.mjs');
  writeFileSync(program, `#!/usr/bin/env node\n${script}\nconsole.log('result: done');\n`, { mode: 0o755 });
  const given = ['--task', task, ...place.trust, '--key', place.keyFile, '--program', program, ...more];
  const PATH = [early, path, String(process.env['PATH'])].filter((it) => it !== '').join(':');
  const ran = await place.run(['task', 'run', ...given], { HOME: place.home, HOST_TOKEN: 'secret', PATH });
  const { error, data: held } = ran.envelope();
  const isJudged = ['WORK_VIOLATES', 'WORK_UNJUDGED'].includes((error as { code?: string } | null)?.code ?? '');
  const data = isJudged && error.context['report'] !== undefined ? error.context : held;
  const file = (data as { report?: string } | null)?.report;
  return { error, data, stderr: ran.stderr, report: file === undefined ? '' : readFileSync(file, 'utf8') };
}

/** The things that a confined agent reached all the same, as the answer says. */
function reachedOf(data: Record<string, unknown>): string {
  return (data['confinement'] as { reached: string[] }).reached.join('\n');
}

/** Functions that every script may use: `attempt` prints what worked. */
const TOOLS = `
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
const home = process.env.HOME;
const attempt = (name, work) => { try { work(); console.log('DID ' + name); } catch (error) { console.log('FAILED ' + name + ' ' + (error.code ?? error.status)); } };
const sh = (text) => execFileSync('sh', ['-ec', text], { stdio: 'pipe', encoding: 'utf8' });
`;

/** A host that keeps its state as hosts do. */
const HOST = `${TOOLS}
const claude = join(home, '.claude');
attempt('login', () => {
  const kept = join(claude, '.credentials.json');
  fs.writeFileSync(kept + '.1', JSON.stringify({ token: process.env.HOST_TOKEN }), { mode: 0o600 });
  fs.renameSync(kept + '.1', kept);
  if (JSON.parse(fs.readFileSync(kept, 'utf8')).token !== 'secret') throw new Error('not logged in');
});
attempt('state', () => {
  fs.mkdirSync(join(claude, 'state.lock'));
  fs.writeFileSync(join(claude, 'state.json.1'), '{"sessions":1}');
  fs.renameSync(join(claude, 'state.json.1'), join(claude, 'state.json'));
  fs.rmdirSync(join(claude, 'state.lock'));
  fs.writeFileSync(join(home, '.claude.json.1'), '{}');
  fs.renameSync(join(home, '.claude.json.1'), join(home, '.claude.json'));
});
attempt('project', () => fs.mkdirSync(join(claude, 'projects/one'), { recursive: true }));
attempt('cache', () => { fs.mkdirSync(process.env.XDG_CACHE_HOME); fs.writeFileSync(join(process.env.XDG_CACHE_HOME, 'x'), ''); });
attempt('temporary', () => { fs.mkdtempSync(join(process.env.TMPDIR, 'x-')); fs.mkdtempSync('/tmp/x-'); });
attempt('work', () => { fs.mkdirSync('src', { recursive: true }); fs.writeFileSync('src/new.js', ''); });
attempt('hook', () => {
  const { command, args } = JSON.parse(fs.readFileSync(join(claude, 'settings.json'), 'utf8')).hooks.PreToolUse[0].hooks[0];
  const event = (session_id, file_path) => JSON.stringify({ session_id, hook_event_name: 'PreToolUse', cwd: process.cwd(), tool_name: 'Write', tool_input: { file_path, content: '' } });
  const ask = (path) => execFileSync('sh', ['-c', command], { input: event('one', path), stdio: 'pipe' });
  ask(join(process.cwd(), 'src/new.js'));
  attempt('forbidden', () => ask(join(process.cwd(), 'README.md')));
});
attempt('git', () => { sh('git status --short'); sh('git diff'); });
attempt('add', () => sh('git add src/new.js'));
attempt('stash', () => sh('git stash -u'));
const server = createServer((_, answer) => answer.end('hello')).listen(0, '127.0.0.1', async () => {
  console.log('LOOPBACK ' + (await (await fetch('http://127.0.0.1:' + server.address().port)).text()));
  server.close();
});
`;

for (const form of ['bwrap', 'unshare'] as const) {
  const missing = await isConfinable(form);
  describeWhere(
    missing === '',
    `vade task run in ${form}`,
    missing,
  )(`vade task run in ${form}`, () => {
    /** Where the other form is wanted, there is a bwrap that does not work. */
    const path = () => {
      if (form === 'bwrap') return '';
      const folder = tempFolder();
      writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      return folder;
    };

    test('a host writes its state by lock, temporary file and rename, its caches and its work, and serves on loopback', async () => {
      const { data, report } = await run(HOST, ['--confine', 'required', '--pass', 'HOST_TOKEN'], path());
      const worked = ['login', 'state', 'project', 'cache', 'temporary', 'work', 'hook', 'git'].map(
        (it) => `DID ${it}`,
      );
      expect(report.split('\n')).toEqual(expect.arrayContaining([...worked, 'LOOPBACK hello']));
      for (const it of ['add', 'stash', 'forbidden']) expect(report).toContain(`FAILED ${it}`);
      expect(data['confinement']).toMatchObject({ form, network: 'host', missing: [] });
      expect(reachedOf(data)).toMatch(/the network.*after the start/s);
      expect(existsSync(join(String(data['worktree']), 'src/new.js'))).toBe(true);
      const judged = (data as { judged?: VerifyReport }).judged;
      expect(judged?.passes[0]?.findings.filter((it) => it.result === 'fail')).toEqual([]);
      expect([judged?.git, judged?.guard]).toEqual([[], []]);
    });

    test('an agent writes neither PATH, nor the gate, other worktrees, bindings, the home, nor the settings of its host', async () => {
      const other = join(`${place.repo.path}.worktrees`, 'other');
      mkdirSync(other, { recursive: true });
      writeFileSync(join(place.home, 'notes'), 'private');
      const tasks = join(place.repo.path, '.git/vade');
      const targets = [
        early,
        other,
        tasks,
        join(tasks, 'bindings'),
        join(place.repo.path, '.git/hooks'),
        place.home,
        place.repo.path,
        '/usr/local/bin',
      ];
      const script = `${TOOLS}
        for (const it of ${JSON.stringify(targets)}) attempt('write ' + it, () => fs.writeFileSync(join(it, 'git'), '#!/bin/sh', { mode: 0o755 }));
        const { command } = JSON.parse(fs.readFileSync(join(home, '.claude/settings.json'), 'utf8')).hooks.PreToolUse[0].hooks[0];
        const gate = /[^' "]*vade-gate[.]cjs/.exec(command)[0];
        attempt('gate', () => fs.appendFileSync(gate, ' '));
        attempt('key', () => { if (fs.readFileSync(${JSON.stringify(place.keyFile)}, 'utf8') === '') throw new Error('blank'); });
        attempt('notes', () => fs.readFileSync(${JSON.stringify(join(place.home, 'notes'))}));
        attempt('ledger', () => fs.readFileSync(${JSON.stringify(join(tasks, 'ledger.db'))}));
        attempt('move', () => fs.renameSync(join(home, '.claude'), join(home, '.old')));
        for (const name of ['settings.json', 'settings.local.json', 'hooks/x']) {
          const file = join(home, '.claude', name);
          attempt('settings ' + name, () => fs.writeFileSync(file, '{}'));
          attempt('rename ' + name, () => { fs.writeFileSync(join(home, '.claude/new'), '{}'); fs.renameSync(join(home, '.claude/new'), file); });
          attempt('remove ' + name, () => fs.rmSync(file));
        }
        attempt('umount', () => sh('umount "$HOME/.claude/settings.json"'));
        attempt('remount', () => sh('mount -o remount,bind,rw /'));
        attempt('nested', () => sh('unshare --user --map-root-user --mount umount "$HOME/.claude/settings.json"'));
        attempt('own file', () => fs.writeFileSync('.git', 'gitdir: /tmp/x'));`;
      const { report, data } = await run(script, ['--confine', 'required'], path());
      expect(data['confinement'], JSON.stringify(data)).toMatchObject({ form });
      expect(report.split('\n').filter((it) => it.startsWith('DID'))).toEqual([]);
      expect(report.match(/^FAILED /gm)?.length).toBe(targets.length + 4 + 10 + 4);
      expect(targets.filter((it) => existsSync(join(it, 'git')))).toEqual([]);
    });

    test('without the network its loopback still works', async () => {
      const script = `${TOOLS}
        console.log('INTERFACES ' + Object.keys((await import('node:os')).networkInterfaces()));
        const server = createServer((_, answer) => answer.end('hello')).listen(0, '127.0.0.1', async () => {
          console.log('LOOPBACK ' + (await (await fetch('http://127.0.0.1:' + server.address().port)).text()));
          server.close();
        });`;
      const { report, data } = await run(script, ['--network', 'none'], path());
      expect(data['confinement']).toMatchObject({ form, network: 'none' });
      expect(reachedOf(data)).not.toContain('the network');
      expect(report).toContain('INTERFACES lo\n');
      expect(report).toContain('LOOPBACK hello');
    });

    test('a role that may commit is refused before anything is made, and one that reads is not', async () => {
      const before = readdirSync(`${place.repo.path}.worktrees`);
      const { error } = await run('', [], path(), 'commit');
      expect([error.code, error.context['flag']]).toEqual(['ARGUMENT_INVALID', 'confine']);
      expect(readdirSync(`${place.repo.path}.worktrees`)).toEqual(before);
      expect((await run('', [], path(), 'read')).data['confinement']).toMatchObject({ form });
    });
  });
}

describe('a machine that confines nothing', () => {
  /** Programs that confine, and do not work. */
  const broken = () => {
    const folder = tempFolder();
    for (const it of ['bwrap', 'unshare']) writeFileSync(join(folder, it), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    return folder;
  };

  test('refuses a run that has to be confined, and makes nothing', async () => {
    const rows = async () => (await place.tasks('log')).envelope().data['rows'];
    const before = await rows();
    const { error } = await run('', ['--confine', 'required'], broken());
    expect(error.code).toBe('WORK_UNJUDGED');
    expect(await rows()).toEqual(before);
  });

  test('says before the start and in the answer what is missing', async () => {
    const { data, stderr } = await run('', [], broken());
    expect(data['confinement']).toMatchObject({ form: 'none', missing: [expect.stringContaining('bwrap')] });
    expect(stderr).toContain((data['confinement'] as { missing: string[] }).missing[0]);
  });

  test('lets nobody ask for no network and no confinement at once', async () => {
    const { error } = await run('', ['--confine', 'none', '--network', 'none']);
    expect([error.code, error.context['flag']]).toEqual(['ARGUMENT_INVALID', 'network']);
  });
});
