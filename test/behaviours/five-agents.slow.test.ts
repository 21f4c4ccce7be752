import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { VerifyReport } from '../../compiler/tasks/schema/verify-report.ts';
import { tempFolder } from '../support/folder.ts';
import { orchestrated, type Orchestrated } from '../support/orchestrated.ts';
import { MENDER, PROJECT, SCRIPTS } from '../support/shop-agents.ts';
import { told } from '../support/spawned.ts';
import { taskToml } from '../support/tasks.ts';

let place: Orchestrated;
let hook: string;
const agents = new Map<string, { readonly id: string; readonly worktree: string; readonly report: string }>();
const shown: Record<string, unknown> = {};

/** Asks the installed hook, as a host does, and makes the call only if it may. @returns what stopped calls */
function perform(name: string): string[] {
  const { worktree } = agents.get(name)!;
  return (SCRIPTS[name] ?? []).flatMap(([tool_name, input]) => {
    const tool_input = {
      ...input,
      ...(input['file_path'] !== undefined && { file_path: join(worktree, input['file_path']) }),
    };
    const event = { hook_event_name: 'PreToolUse', session_id: name, cwd: worktree, tool_name, tool_input };
    const env = { PATH: process.env['PATH'], HOME: place.home };
    const asked = spawnSync('sh', ['-c', hook], { input: JSON.stringify(event), env, cwd: worktree });
    if (asked.status !== 0) return [/(\w+::[\w-]+)/.exec(asked.stderr.toString())?.[1] ?? asked.stderr.toString()];
    if (tool_name === 'Write') {
      mkdirSync(dirname(tool_input['file_path'] ?? ''), { recursive: true });
      writeFileSync(tool_input['file_path'] ?? '', input['content'] ?? '');
    } else spawnSync('sh', ['-c', input['command'] ?? ''], { cwd: worktree, env: { ...env, GIT_AUTHOR_NAME: name } });
    return [];
  });
}

/** `vade task verify`: its exit code and its report. */
async function judge(name: string) {
  const { id, report } = agents.get(name)!;
  const ran = await place.tasks('verify', '--agent', id, '--report', report, '--sandbox', 'none', ...place.trust);
  const { ok, data, error } = ran.envelope();
  const judged = (ok ? data : error.context)['judged'] as VerifyReport | undefined;
  if (judged === undefined) throw new Error(ran.stdout);
  return { exit: ran.code, ...told(judged), report: judged };
}

beforeAll(async () => {
  place = await orchestrated(
    (repo) => {
      for (const [path, text] of Object.entries(PROJECT)) repo.write(path, text);
      repo.remove('instructions/roles').write('instructions/roles/mender.toml', MENDER);
    },
    ['mender'],
  );
  const origin = join(tempFolder(), 'origin.git');
  execFileSync('git', ['clone', '--quiet', '--bare', place.repo.path, origin], { stdio: 'pipe' });
  place.repo.git('remote', 'add', 'origin', origin);
  const settings = ['--settings', join(place.home, 'settings.json')];
  const keys = [...place.trust, '--orchestrator', place.keyFile];
  const installed = await place.run(['capability', 'install', ...keys, ...settings], { HOME: place.home });
  hook = (installed.envelope().data['hook'] as { command: string }).command;
  const scope = '[scope]\nfiles-whitelist = ["src/**", "test/**"]\n[verification]\ntest-count-min = 1\n';
  for (const name of Object.keys(SCRIPTS)) {
    place.task(name, taskToml('mender', `Do what ${name} does.`, scope));
    await place.tasks('compose', '--task', name, ...place.trust);
    const { ok, data, error } = (await place.tasks('spawn', '--task', name, ...place.trust)).envelope();
    if (!ok) throw new Error(JSON.stringify(error));
    const report = join(tempFolder(), 'report.md');
    writeFileSync(report, 'files-touched: see the worktree\nresult: done\n');
    agents.set(name, { id: String(data['agent_id']), worktree: String(data['worktree']), report });
  }
}, 300_000);

test('each agent is told the atoms of its role, and its own task', () => {
  for (const name of Object.keys(SCRIPTS)) {
    const prompt = place.read(`tasks/${name}/prompt.md`);
    for (const it of ['You MUST NOT run `git`', 'files-whitelist', `Do what ${name} does.`])
      expect(prompt).toContain(it);
  }
});

test('five agents in five worktrees: what stopped each, and how it is judged (agent substrate, Execution flow)', async () => {
  for (const name of ['obeys', 'strays', 'hides', 'breaks']) shown[`${name}: stopped by`] = perform(name);
  // meanwhile a person changes main, and says so
  place.repo.write('src/price.js', PROJECT['src/price.js'].replace('price', 'format'));
  place.repo.write(
    'test/price.test.js',
    PROJECT['test/price.test.js'].replaceAll('price', 'format').replace('src/format', 'src/price'),
  );
  place.repo.write('src/total-of.js', 'exports.none = 0;\n').commit('rename price');
  const held = await judge('breaks');
  expect([held.exit, held.git]).toEqual([2, ['refs/heads/main']]);
  const breaks = agents.get('breaks')!.id;
  const explained = await place.tasks('explain', '--agent', breaks, '--reason', 'I renamed price');
  expect(explained.envelope().data['effect']).toBe('explained');
  for (const name of ['strays', 'hides', 'breaks']) {
    const { exit, failed, git, proposal, report } = await judge(name);
    const detail = report.passes.flatMap((it) => it.findings).find((it) => it.result === 'fail')?.detail ?? '';
    const files = detail.split('\n').filter((it) => /^[\w./-]+$/.test(it));
    shown[`${name}: judged`] = { exit, failed, git, proposal, files };
  }
  expect(shown).toEqual({
    'obeys: stopped by': [],
    'strays: stopped by': ['scope::files-whitelist', 'scope::files-whitelist'],
    'hides: stopped by': ['scope::files-whitelist'],
    'breaks: stopped by': [],
    'strays: judged': {
      exit: 2,
      failed: ['worktree scope::files-whitelist'],
      git: [],
      proposal: 'reject_and_respawn',
      files: ['README.md'],
    },
    'hides: judged': {
      exit: 2,
      failed: ['worktree scope::files-whitelist'],
      git: [],
      proposal: 'reject_and_respawn',
      files: ['docs/.gitignore', 'docs/notes.md'],
    },
    'breaks: judged': {
      exit: 2,
      failed: ['simulated-merge quality::tests-green'],
      git: [],
      proposal: 'reject_and_respawn',
      files: [],
    },
  });
});

test('a push by a script holds every merge until a person has undone it, and is blamed on nobody', async () => {
  expect(perform('pushes')).toEqual(['policy::no-git-ops', 'policy::no-git-ops']);
  const trace = 'refs/remotes/origin/stolen';
  expect(await judge('pushes')).toMatchObject({ exit: 1, verdict: 'unjudged', failed: [], git: [trace] });
  // obeys breaks with the renamed main, so it is main that goes back
  place.repo.git('push', '--quiet', 'origin', ':refs/heads/stolen');
  expect(place.repo.git('for-each-ref', trace)).toBe('');
});

test('what obeys can be merged as it was judged, the report is replayed, and is stale afterwards', async () => {
  place.repo.git('revert', '--no-edit', 'HEAD');
  const { id } = agents.get('obeys')!;
  expect(await judge('obeys')).toMatchObject({ exit: 1, failed: [], git: ['refs/heads/main'] });
  await place.tasks('explain', '--agent', id, '--reason', 'I took it back');
  const judged = await judge('obeys');
  expect(judged).toMatchObject({ exit: 0, verdict: 'holds', proposal: 'merge', failed: [], git: [] });
  const replayed = await place.tasks('replay', '--agent', id, '--sandbox', 'none');
  expect(replayed.envelope().data).toMatchObject({ stale: false, verdict: 'holds' });
  place.repo.git('merge', '--quiet', '--no-edit', judged.report.snapshot.commit);
  expect(place.repo.git('rev-parse', 'HEAD^{tree}').trim()).toBe(judged.report.merge?.tree);
  await place.tasks('clean', '--agent', id, '--discard', '--yes');
  expect(existsSync(agents.get('obeys')!.worktree)).toBe(false);
  const later = await place.tasks('replay', '--agent', id, '--sandbox', 'none');
  expect(later.envelope().data).toMatchObject({ stale: true, verdict: 'holds' });
  expect(readFileSync(join(place.repo.path, 'src/total.js'), 'utf8')).toContain('total');
});

test('one atom is judged by the environment alone', async () => {
  const { id, worktree } = agents.get('strays')!;
  const env = {
    AGENT_ID: id,
    TASK_TOML: join(place.repo.path, 'tasks/strays/task.toml'),
    WORKTREE_PATH: worktree,
    MAIN_REPO: place.repo.path,
    RUN_MODE: 'worktree',
    HOME: place.home,
  };
  const verify = async (atom: string) => {
    const ran = await place.run(['capability', 'verify', atom], env);
    const { ok, error } = ran.envelope();
    return [ran.code, ok ? null : error.code];
  };
  expect(await verify('scope::files-whitelist')).toEqual([2, 'WORK_VIOLATES']);
  expect(await verify('safety::no-dep-bump')).toEqual([0, null]);
  expect(await verify('safety::none')).toEqual([3, 'ARGUMENT_INVALID']);
});
