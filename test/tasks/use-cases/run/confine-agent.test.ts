import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StateFolder } from '../../../../compiler/capabilities/use-cases/state-folder.ts';
import type { SandboxPlace } from '../../../../compiler/io/sandbox/steps.ts';
import type { ResolvedRole } from '../../../../compiler/schema/capability/resolved-role.ts';
import { VadeError } from '../../../../compiler/schema/errors.ts';
import {
  agentPath,
  assertCommitsNothing,
  boxAgent,
  confinedWords,
  holdLists,
  packageSettings,
  type AgentBox,
} from '../../../../compiler/tasks/use-cases/run/confine-agent.ts';
import { createRunFolders } from '../../../../compiler/tasks/use-cases/run/run-folders.ts';
import { tempFolder } from '../../../support/folder.ts';
import { libraryRole } from '../../../support/tasks.ts';
import { worldIn } from '../../../support/world.ts';

/** A role whose agents may run anything. */
const COMMITTER: ResolvedRole = {
  ...libraryRole('edit-local'),
  role: 'committer',
  gates: [],
  tools: { allowed: ['Bash'], denied: [] },
  shell: { allowed: [] },
};

/** The flag that a refusal names; null if the role may be confined so. */
function refusedFor(more: Partial<ResolvedRole>, form: AgentBox['told']['form'] = 'bwrap'): unknown {
  try {
    assertCommitsNothing({ told: { form } } as AgentBox, { ...COMMITTER, ...more });
    return null;
  } catch (error) {
    if (error instanceof VadeError) return [error.code, error.details['flag']];
    throw error;
  }
}

test.each<[string, Partial<ResolvedRole>]>([
  ['that names the shell', {}],
  ['that names every tool', { tools: { allowed: ['*'], denied: [] } }],
  ['that names no tool', { tools: { allowed: [], denied: [] } }],
  ['whose commands include those of git', { shell: { allowed: ['^ls', '^git '] } }],
])('a role %s may commit, and is not confined', (_, more) => {
  expect(refusedFor(more)).toEqual(['argument_invalid', 'confine']);
  expect(refusedFor(more, 'unshare')).toEqual(['argument_invalid', 'confine']);
  expect(refusedFor(more, 'none')).toBeNull();
});

test.each<[string, Partial<ResolvedRole>]>([
  ['its atom', { gates: libraryRole('edit-local').gates }],
  ['a tool that it denies', { tools: { allowed: ['*'], denied: ['Write', 'Bash'] } }],
  ['the tools that it has', { tools: { allowed: ['Read', 'Write'], denied: [] } }],
  ['the commands that it has', { shell: { allowed: ['^ls', '^git status'] } }],
])('a role that is kept from committing by %s may be confined', (_, more) => {
  expect(refusedFor(more)).toBeNull();
});

test('an agent finds no program in the folder of worktrees, or where everybody may write', () => {
  const [open, closed] = [tempFolder(), tempFolder()];
  chmodSync(open, 0o777);
  const path = ['/trees', '/trees/one/bin', open, '/trees-of-mine', closed].join(':');
  expect(agentPath({ program: '/p', path }, { worktrees: '/trees' })).toBe(`/trees-of-mine:${closed}`);
});

/** A repository whose agents are started without confinement. */
function place(): StateFolder {
  const top = tempFolder();
  mkdirSync(join(top, '.git/vade'), { recursive: true });
  const repository = { top, common: join(top, '.git') } as StateFolder['repository'];
  return { repository, tasks: join(top, '.git/vade'), worktrees: `${top}.worktrees` };
}

const box = (flags: Partial<Parameters<typeof boxAgent>[3]>, found = { program: '/bin/sh', path: '/bin' }) =>
  boxAgent(
    createRunFolders(tempFolder()),
    { listed: null, denied: [] },
    place(),
    { confine: 'none', network: 'host', key: undefined, ...flags },
    found,
    worldIn('/'),
  );

test('an agent that nobody confines has the network and all permissions, and that is told with its cause', async () => {
  const { told, sandbox } = await box({});
  expect([told.form, told.network, told.reached]).toEqual(['none', 'host', []]);
  expect(told.missing).toEqual([expect.stringContaining('--confine none')]);
  expect(sandbox.wrap(['a', 'b'], { cwd: '/', writable: [] })).toEqual(['a', 'b']);
});

test('without confinement the network cannot be taken away', async () => {
  await expect(box({ network: 'none' })).rejects.toMatchObject({
    code: 'argument_invalid',
    details: { flag: 'network' },
  });
});

/** A box whose sandbox prints the place that it is asked for. */
function shown(listed: string[], form: 'bwrap' | 'none'): AgentBox {
  const wrap = (words: readonly string[], given: SandboxPlace) => [JSON.stringify(given), ...words];
  const told = { form, network: 'host', missing: ['before'], reached: [] } as const;
  const sandbox = { name: form, left: [], reached: [], why: [], wrap };
  return { folders: createRunFolders(tempFolder()), over: [], told, sandbox, lists: { listed, denied: [] } };
}

test('an agent writes its worktree and its folders, but for what is not listed, and what guards', () => {
  const worktree = tempFolder();
  for (const it of ['.vade', '.claude/hooks', 'src', 'docs']) mkdirSync(join(worktree, it), { recursive: true });
  const box = holdLists(shown(['src/**'], 'bwrap'), worktree);
  const [given = '', ...words] = confinedWords(box, ['program', 'x'], worktree);
  const bind = (path: string) => ({ path: join(worktree, path), from: join(worktree, path), isWritable: false });
  expect([words, box.told.missing]).toEqual([['program', 'x'], ['before']]);
  expect(JSON.parse(given)).toEqual({
    cwd: worktree,
    writable: [worktree, box.folders.home, box.folders.temporary],
    over: ['.claude', '.vade', 'docs', '.claude/hooks'].map(bind),
  });
});

test('before a worktree is made the gaps of every worktree are known, and none without confinement', () => {
  const gapsOf = (form: 'bwrap' | 'none') => holdLists(shown([], form), null).told.missing;
  expect(gapsOf('bwrap')).toEqual(['before', expect.stringContaining('the task lists no files')]);
  expect(gapsOf('none')).toEqual(['before']);
});

test.each([
  [['src/**'], { npm_config_save: 'false' }],
  [['src/**', 'package.json'], {}],
  [[], {}],
  [null, {}],
])('with the list %j the settings of npm are %j', (listed, settings) => {
  expect(packageSettings({ listed, denied: [] })).toEqual(settings);
});
