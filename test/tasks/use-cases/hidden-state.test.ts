import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StateFolder } from '../../../compiler/capabilities/use-cases/state-folder.ts';
import { hiddenState } from '../../../compiler/tasks/use-cases/hidden-state.ts';
import { tempFolder } from '../../support/folder.ts';

test('keys of the main worktree, of the person’s worktree and of the current folder are hidden, and worktrees that git knows', () => {
  const common = join(tempFolder(), '.git');
  for (const [id, gitdir] of [
    ['one', '/elsewhere/one/.git\n'],
    ['relative', '../../../beside/.git\n'],
    ['broken', ''],
  ] as const) {
    mkdirSync(join(common, 'worktrees', id), { recursive: true });
    writeFileSync(join(common, 'worktrees', id, 'gitdir'), gitdir);
  }
  const repository = { top: '/trees/mine', common } as StateFolder['repository'];
  const hidden = hiddenState(
    { repository, worktrees: '/trees/agents' },
    { cwd: '/here', env: { SSH_AUTH_SOCK: '/s' } },
  );
  const keys = ['/trees/mine/.vade', join(common, '../.vade'), '/here/.vade'];
  const linked = ['/elsewhere/one', join(common, '../beside')];
  expect(hidden.sort()).toEqual(['/trees/agents', ...linked, ...keys, '/s'].sort());
});

test('without linked worktrees and without an SSH agent nothing more is hidden', () => {
  const repository = { top: '/shop', common: '/shop/.git' } as StateFolder['repository'];
  const hidden = hiddenState({ repository, worktrees: '/shop.worktrees' }, { cwd: '/shop', env: {} });
  expect([...new Set(hidden)]).toEqual(['/shop.worktrees', '/shop/.vade']);
});
