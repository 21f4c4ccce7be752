import { expect, test } from 'vitest';
import { VadeError } from '../../../../compiler/schema/errors.ts';
import { verifyAtom } from '../../../../compiler/tasks/use-cases/verify/verify-atom.ts';
import type { World } from '../../../../compiler/world/world.ts';

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
