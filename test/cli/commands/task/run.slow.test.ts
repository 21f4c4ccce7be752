import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { VerifyReport } from '../../../../compiler/tasks/schema/verify-report.ts';
import { MAIN } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { orchestrated, type Orchestrated } from '../../../support/orchestrated.ts';
import { isConfinable } from '../../../support/sandboxes.ts';
import { COMMITTER, taskToml } from '../../../support/tasks.ts';

let place: Orchestrated;
let agents: string;
beforeAll(async () => {
  const roles = ['edit-local', 'committer'];
  place = await orchestrated((repo) => repo.write('instructions/roles/committer.toml', COMMITTER), roles);
  agents = tempFolder();
  const scope = '[scope]\nfiles-whitelist = ["src/**"]\n[output]\nreport-fields-required = ["result"]\n';
  place.task('mend', taskToml('edit-local', 'Mend it.', scope));
  place.task('commit', taskToml('committer', 'Commit it.', '[output]\nreport-fields-required = ["result"]\n'));
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A program that an agent is; it leaves what it saw in the worktree. */
function agent(script: string): string {
  const path = join(agents, 'agent.sh');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

/** Result of a run. Where its work is rejected, the report is the error's context. */
const run = async (script: string, ...more: string[]) => {
  const ran = await place.tasks('run', '--task', 'mend', ...place.trust, '--program', agent(script), ...more);
  const { error, ...envelope } = ran.envelope();
  const judged = ['WORK_VIOLATES', 'WORK_UNJUDGED'].includes((error as { code?: string } | null)?.code ?? '');
  const warnings = judged ? (error.context['warnings'] as typeof envelope.warnings) : envelope.warnings;
  return { error, warnings, ok: envelope.ok || judged, data: judged ? error.context : envelope.data };
};

const install = () =>
  place.run(
    [
      ...['capability', 'install', ...place.trust, '--orchestrator', place.keyFile],
      ...['--settings', join(place.home, 'settings.json')],
    ],
    { HOME: place.home },
  );

const missing = await isConfinable('required');

describe('vade task run', () => {
  test('without an installed gate no agent is started', async () => {
    const { error } = await run('exit 0');
    expect(error.code).toBe('HOOKS_UNSOUND');
    expect(existsSync(`${place.repo.path}.worktrees`)).toBe(false);
  });

  test('an agent works in its worktree, with the prompt as input, and what it prints is its report', async () => {
    expect((await install()).envelope().ok).toBe(true);
    const { ok, data, error } = await run(
      'mkdir src; cat > src/prompt.md; env > src/env.txt; pwd > src/pwd.txt; cp "$HOME/.claude/settings.json" src/; echo "result: done"; echo "QUESTION: and now"',
    );
    expect(ok, JSON.stringify(error)).toBe(true);
    const worktree = String(data['worktree']);
    const left = (name: string) => readFileSync(join(worktree, 'src', name), 'utf8');
    expect(left('prompt.md')).toBe(place.read('tasks/mend/prompt.md'));
    expect(left('pwd.txt').trim()).toBe(worktree);
    expect(left('env.txt')).toContain(`VADE_AGENT_ID=${String(data['agent_id'])}`);
    expect(left('env.txt')).not.toContain('VADE_ORCHESTRATOR_KEY');
    expect(left('env.txt')).not.toContain(place.home);
    expect(left('settings.json')).toContain(join(place.repo.path, '.git/vade'));
    expect(readFileSync(String(data['report']), 'utf8')).toBe('result: done\nQUESTION: and now\n');
    expect(data).toMatchObject({
      end: { exit: 0, timed_out: false },
      escalations: [{ policy: 'ask-via-return', text: 'and now' }],
    });
  });

  test('a file that would act with the rights of its owner or group loses them, and the report names it', async () => {
    const make =
      'mkdir -p src; for it in user group; do cp /bin/true src/$it; done; chmod 4755 src/user; chmod 2755 src/group';
    const { data } = await run(`${make}; echo 'result: done'`);
    const noticed = (data['judged'] as VerifyReport).noticed.filter((it) => it.what === 'privileged');
    expect(noticed.map((it) => it.path)).toEqual(['src/group', 'src/user']);
    const modes = noticed.map((it) => lstatSync(join(String(data['worktree']), it.path)).mode & 0o7777);
    expect(modes).toEqual([0o755, 0o755]);
    expect(lstatSync(`${place.repo.path}.worktrees`).mode & 0o077).toBe(0);
  });

  test('an interrupted run leaves no such file either', async () => {
    const trees = `${place.repo.path}.worktrees`;
    const before = new Set(readdirSync(trees));
    const program = agent('mkdir -p src; cp /bin/true src/user; chmod 4755 src/user; : > src/made; sleep 60');
    const words = ['task', 'run', '--task', 'mend', ...place.trust, '--key', place.keyFile, '--program', program];
    const env = { PATH: process.env['PATH'], HOME: place.home };
    const child = spawn(process.execPath, [MAIN, ...words], { cwd: place.repo.path, env, stdio: 'ignore' });
    const made = () => readdirSync(trees).find((it) => !before.has(it) && existsSync(join(trees, it, 'src/made')));
    while (made() === undefined) await setTimeout(50);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([143, null]);
    expect(lstatSync(join(trees, made() ?? '', 'src/user')).mode & 0o7777).toBe(0o755);
  });

  test('git in the agent’s process finds no credentials and reaches no other machine', async () => {
    place.repo.git('config', 'credential.helper', `!touch ${join(agents, 'asked')};`);
    place.repo.git('remote', 'add', 'elsewhere', 'https://127.0.0.1:9/x.git');
    const { data } = await run(
      'git push elsewhere HEAD:refs/heads/x 2>&1; echo "pushed: $?"; printf "protocol=https\\nhost=x\\n" | git credential fill 2>&1; true',
      ...['--confine', 'none'],
    );
    const report = readFileSync(String(data['report']), 'utf8');
    expect(report).toContain("transport 'https' not allowed");
    expect(report).toContain('pushed: 128');
    expect(existsSync(join(agents, 'asked'))).toBe(false);
  });

  test('what an agent left running ends with it, in its group or not', async () => {
    // it would hold the agent's output open for as long as it lives
    const { data } = await run('sleep 600 & setsid sleep 600 & echo "result: done"');
    expect(data['end']).toMatchObject({ exit: 0, timed_out: false });
  });

  test('an agent that fails is told as it ended, and its report is kept', async () => {
    const { ok, data } = await run('echo "result: none"; exit 3');
    expect(ok).toBe(true);
    expect(data['end']).toMatchObject({ exit: 3, signal: null });
  });

  test.each([
    ['a program that is not there', ['--program', 'no-such-program-at-all']],
    ['a program by a relative path', ['--program', './agent.sh']],
    ['a variable with credentials', ['--pass', 'GITHUB_TOKEN']],
  ])('%s is refused', async (_what, more) => {
    const args = more[0] === '--program' ? more : ['--program', agent('exit 0'), ...more];
    const ran = await place.tasks('run', '--task', 'mend', ...place.trust, ...args);
    expect(ran.envelope().error.code).toBe('ARGUMENT_INVALID');
  });

  test('a program on PATH that leads into the repository is refused', async () => {
    const folder = tempFolder();
    const inside = join(place.repo.path, 'evil.sh');
    writeFileSync(inside, '#!/bin/sh\ntouch started\n', { mode: 0o755 });
    symlinkSync(inside, join(folder, 'evil-agent'));
    const words = ['task', 'run', '--task', 'mend', ...place.trust, '--key', place.keyFile, '--program', 'evil-agent'];
    const ran = await place.run(words, { HOME: place.home, PATH: `${folder}:${String(process.env['PATH'])}` });
    expect(ran.envelope().error.code).toBe('ARGUMENT_INVALID');
    rmSync(inside);
  });

  test('a dry run makes and starts nothing', async () => {
    const rows = async () => (await place.tasks('log')).envelope().data['rows'];
    const before = await rows();
    const { data } = await run('exit 0', '--dry-run');
    expect(data).toMatchObject({ effect: 'would_run', plan: { task: { id: 'mend' } } });
    expect(await rows()).toEqual(before);
  });

  test('the folder of a run is gone with it, also of a dry run and of one that was refused', async () => {
    const temporary = tempFolder();
    vi.stubEnv('TMPDIR', temporary);
    await run('echo "result: done"');
    await run('exit 0', '--dry-run');
    const refused = await run('exit 0', '--network', 'none', '--confine', 'none');
    expect(refused.error.code).toBe('ARGUMENT_INVALID');
    const runs = readdirSync(temporary).filter((it) => it.startsWith('vade-verify-'));
    expect(runs.map((it) => readdirSync(join(temporary, it)))).toEqual([[]]);
  });

  test('who works where is said before the agent begins, and a minute is one for it', async () => {
    const words = ['--task', 'mend', ...place.trust, '--program', agent('sleep 0.1; echo "result: done"')];
    const ran = await place.tasks('run', ...words, '--timeout', '1');
    const { data, error } = ran.envelope() as { data: object | null; error: { context: object } | null };
    const told = { ...data, ...error?.context } as Record<string, unknown>;
    expect(told['end']).toMatchObject({ exit: 0, timed_out: false });
    expect(ran.stderr).toContain(`${String(told['agent_id'])} works in ${String(told['worktree'])}\n`);
  });

  test.skipIf(missing !== '')(
    'a role that may commit is refused before anything is made, as a dry run is',
    async () => {
      const words = ['--task', 'commit', ...place.trust, '--program', agent('exit 0'), '--confine', 'auto'];
      for (const more of [[], ['--dry-run']]) {
        const { error } = (await place.tasks('run', ...words, ...more)).envelope();
        expect([error.code, error.context['flag']]).toEqual(['ARGUMENT_INVALID', 'confine']);
      }
      expect(existsSync(join(place.repo.path, 'tasks/commit/prompt.md'))).toBe(false);
    },
  );

  test('a password in the repository’s configuration is told where the agent sees it', async () => {
    place.repo.git('remote', 'add', 'open', 'https://ann:secret@example.com/a.git');
    const { warnings } = await run('exit 0', '--confine', 'none');
    expect(warnings.map((it) => it.code)).toContain('CREDENTIALS_IN_REMOTE');
    expect(JSON.stringify(warnings)).not.toContain('secret');
  });
});
