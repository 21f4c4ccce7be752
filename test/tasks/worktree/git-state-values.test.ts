import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UNKNOWN } from '../../../compiler/tasks/schema/git-state.ts';
import { readGitState } from '../../../compiler/tasks/worktree/read-git-state.ts';
import { worktreePlace } from '../../support/snapshots.ts';

const { repo, base, worktree } = worktreePlace({ 'a.txt': 'a\n' });
const common = join(repo.path, '.git');

function writeIn(path: string, text: string): void {
  mkdirSync(join(common, path, '..'), { recursive: true });
  writeFileSync(join(common, path), text);
}

test('references and heads are told as their text, and everything else by its digest', () => {
  writeIn('refs/heads/long', 'x'.repeat(4097));
  writeIn('refs/heads/most', `${'x'.repeat(4095)}\n`);
  writeIn('refs/heads/half.lock', base);
  writeIn('packed-refs', `# pack-refs\n${base} refs/heads/packed\n^${base}\n${base.slice(1)} refs/heads/short\n`);
  const { entries } = readGitState(common);
  const of = (path: string) => entries[path]?.replace(/^(sha256) .*/, '$1');
  const admin = 'worktrees/tree';
  expect(['HEAD', `${admin}/gitdir`, `${admin}/commondir`, 'refs/heads/packed'].map(of)).toEqual([
    'text ref: refs/heads/main',
    `text ${worktree}/.git`,
    'text ../..',
    `text ${base}`,
  ]);
  expect([of('refs/heads/most'), of('refs/heads/half.lock'), of('refs/heads/short')]).toEqual([
    `text ${'x'.repeat(4095)}`,
    undefined,
    undefined,
  ]);
  expect([of('refs/heads/long'), of('config'), of(`${admin}/.git`)]).toEqual(Array(3).fill('sha256'));
});

test('a state that cannot be read is refused', () => {
  rmSync(join(common, 'packed-refs'), { force: true });
  mkdirSync(join(common, 'packed-refs'));
  expect(() => readGitState(common)).toThrow(expect.objectContaining({ code: 'repository_unreadable' }));
});

test('every name that git obeys is part of the state, and so is what a merge, a rebase or a bisection leaves', () => {
  const names =
    'config.worktree locked gitdir shallow reftable/x hooks/x info/x remotes/x branches/x commondir rr-cache/x ' +
    'objects/info/alternates objects/info/http-alternates BISECT_LOG CHERRY_PICK_HEAD MERGE_HEAD REVERT_HEAD ' +
    'rebase-apply/next rebase-merge/done sequencer/todo objects/info/commit-graph objects/info/commit-graphs/x ' +
    'objects/pack/multi-pack-index objects/pack/multi-pack-index.d/x';
  const place = worktreePlace({ 'a.txt': 'a\n' });
  const paths = names.split(' ');
  for (const it of paths) {
    mkdirSync(join(place.repo.path, '.git', it, '..'), { recursive: true });
    writeFileSync(join(place.repo.path, '.git', it), 'x');
  }
  const { entries } = readGitState(join(place.repo.path, '.git'));
  expect(Object.entries(entries).filter(([, value]) => value === UNKNOWN)).toEqual([]);
  expect(paths.filter((it) => !/^(?:text x|sha256 .*)$/.test(entries[it] ?? ''))).toEqual([]);
});
