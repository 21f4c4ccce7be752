import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VadeError } from '../../../../compiler/schema/errors.ts';
import { verifyAtom } from '../../../../compiler/tasks/use-cases/verify/verify-atom.ts';
import type { World } from '../../../../compiler/world/world.ts';
import { tempFolder } from '../../../support/folder.ts';
import { ORCHESTRATOR, ORCHESTRATOR_PEM } from '../../../support/planned.ts';
import { agentsPlace, AT, CHEAP } from '../../../support/spawned.ts';
import { newSigner } from '../../../support/staff.ts';
import { worldIn } from '../../../support/world.ts';

const ENV = {
  AGENT_ID: 'fix-1',
  TASK_TOML: '/repo/tasks/fix/task.toml',
  WORKTREE_PATH: '/trees/fix-1',
  MAIN_REPO: '/nonexistent/repo',
  RUN_MODE: 'worktree',
};

/** The code of a refusal, and the variable that it is about. */
async function refusal(env: Record<string, string | undefined>): Promise<unknown[]> {
  const world = { cwd: '/', env: { ...ENV, ...env }, now: () => new Date(0) } as unknown as World;
  try {
    await verifyAtom('quality::tests-green', world);
  } catch (error) {
    if (error instanceof VadeError) return [error.code, error.details['variable'] ?? null];
    throw error;
  }
  return ['nothing was refused'];
}

test.each(Object.keys(ENV))('without %s nothing is judged', async (name) => {
  expect(await refusal({ [name]: undefined })).toEqual(['source_not_found', null]);
  expect(await refusal({ [name]: '' })).toEqual(['source_not_found', null]);
});

test.each([
  ['AGENT_ID', '../fix'],
  ['AGENT_ID', 'fix 1'],
  ['RUN_MODE', 'everywhere'],
  ['TASK_TOML', 'task.toml'],
  ['WORKTREE_PATH', './tree'],
  ['WORKTREE_PATH', '/tree\n/other'],
  ['MAIN_REPO', 'repo'],
  ['MAIN_REPO', '/repo\0'],
])('%s with %j is refused before anything is read', async (name, value) => {
  expect(await refusal({ [name]: value })).toEqual(['argument_invalid', name]);
});

test('a repository that is not there is not found', async () => {
  expect(await refusal({})).toEqual(['source_not_found', null]);
});

describe('one atom of an agent at work', () => {
  const LISTED = 'scope::files-whitelist';

  /** An agent that wrote a file of its list, or another one, and the variables that say so. */
  function atWork(wrote = 'src/b.js') {
    const place = agentsPlace({ 'src/a.js': 'a\n' });
    mkdirSync(place.tasks, { recursive: true });
    writeFileSync(join(place.tasks, 'orchestrator.pem'), ORCHESTRATOR.publicPem);
    const one = place.spawn('one');
    one.write(wrote, 'b');
    const task = join(tempFolder(), 'task.toml');
    // the plans of these agents are about a task with this text
    writeFileSync(task, 'task');
    const usual = { AGENT_ID: 'one', TASK_TOML: task, WORKTREE_PATH: one.worktree, MAIN_REPO: place.repo.path };
    const judge = (env: Record<string, string> = {}, atom = LISTED) =>
      verifyAtom(atom, { ...worldIn('/', new Date(AT)), env: { ...usual, RUN_MODE: 'worktree', ...env } });
    return { ...place, one, task, judge };
  }

  test('the passes of its run mode are judged, whatever the plan says, and no other atom', async () => {
    const { judge } = atWork();
    const passes = async (RUN_MODE: string) => {
      const { atom, verdict, findings } = await judge({ RUN_MODE });
      return [atom, verdict, findings.map((it) => `${it.pass} ${it.check} ${it.result}`)];
    };
    const [first, second] = ['worktree', 'simulated-merge'].map((it) => `${it} ${LISTED} pass`);
    expect(await passes('worktree')).toEqual([LISTED, 'holds', [first]]);
    expect(await passes('simulated-merge')).toEqual([LISTED, 'holds', [second]]);
    expect(await passes('both')).toEqual([LISTED, 'holds', [first, second]]);
  });

  test('work that breaks the rule is told with the pass that saw it', async () => {
    const { verdict, findings } = await atWork('README.md').judge({ RUN_MODE: 'both' });
    expect([verdict, findings]).toMatchObject([
      'violations',
      [{ pass: 'worktree', check: LISTED, result: 'fail', detail: 'README.md' }],
    ]);
  });

  test('the key in the environment counts before the one beside the bindings, and either has to be that of the plan', async () => {
    const { judge, tasks } = atWork();
    const results = async (env: Record<string, string> = {}) => (await judge(env)).findings.map((it) => it.result);
    expect(await results({ VADE_ORCHESTRATOR_KEY: '' })).toEqual(['pass']);
    writeFileSync(join(tasks, 'orchestrator.pem'), newSigner().publicPem);
    await expect(results()).rejects.toMatchObject({ code: 'work_unjudged', details: { cause: 'bundle_unverified' } });
    expect(await results({ VADE_ORCHESTRATOR_KEY: ORCHESTRATOR_PEM })).toEqual(['pass']);
  });

  test('variables about another agent, worktree, task or atom than the sealed one are refused', async () => {
    const { judge, one, repo, task } = atWork();
    const refused = (name: string) => ({ code: 'argument_invalid', details: { variable: name } });
    await expect(judge({ AGENT_ID: 'other' })).rejects.toMatchObject({ code: 'agent_not_found' });
    await expect(judge({ WORKTREE_PATH: repo.path })).rejects.toMatchObject(refused('WORKTREE_PATH'));
    await expect(judge({ TASK_TOML: join(repo.path, 'nothing') })).rejects.toMatchObject(refused('TASK_TOML'));
    const linked = join(tempFolder(), 'tree');
    symlinkSync(one.worktree, linked);
    expect((await judge({ WORKTREE_PATH: linked })).verdict).toBe('holds');
    await expect(judge({}, 'quality::tests-green')).rejects.toMatchObject({ code: 'argument_invalid', details: {} });
    writeFileSync(task, 'another task');
    await expect(judge()).rejects.toMatchObject(refused('TASK_TOML'));
  });

  test('every check of the atom is judged, if a plan has it more than once', async () => {
    const { spawn, judge } = atWork();
    const two = spawn('two', { checks: [...CHEAP, ...CHEAP] });
    const { findings } = await judge({ AGENT_ID: 'two', WORKTREE_PATH: two.worktree });
    expect(findings.map((it) => it.check)).toEqual([LISTED, LISTED]);
  });
});
