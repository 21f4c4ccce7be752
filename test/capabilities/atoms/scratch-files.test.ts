import { expect, test } from 'vitest';
import { isScratch, isTemporary } from '../../../compiler/capabilities/atoms/scratch-files.ts';
import type { WriteTarget } from '../../../compiler/capabilities/paths/targets.ts';

const scratch = (relative: string | null, path = `/home/w/${relative ?? ''}`, isShell = true) =>
  isScratch({ relative, path, isShell } as WriteTarget, '/home/w');

test('what builds and tests leave behind is scratch in any folder, and nothing that looks like it', () => {
  const folders =
    'node_modules dist build out target coverage .cache .venv venv __pycache__ .pytest_cache .mypy_cache .ruff_cache .next .nuxt .turbo .parcel-cache .gradle .tox tmp';
  const files = 'x.log x.tmp x.pyc x.orig x.bak x.tsbuildinfo .DS_Store';
  const left = `${folders} ${files}`.split(' ').flatMap((it) => [it, `a/b/${it}`]);
  expect(left.filter((it) => !scratch(it))).toEqual([]);
  expect(['x.ts', 'a/distant/x', 'log', 'x.logs', 'mytmp/x'].filter((it) => scratch(it))).toEqual([]);
});

test('only a shell writes scratch, and where nobody can tell the path there is none', () => {
  expect([scratch('x.log'), scratch('x.log', '/home/w/x.log', false)]).toEqual([true, false]);
  expect(isScratch({ relative: null, path: null, isShell: true } as WriteTarget, '/home/w')).toBe(false);
});

test('temporary folders are those of the system, and never the worktree or what lies beside it', () => {
  const temporary = ['/tmp/x', '/var/tmp/x', '/private/tmp/x', '/private/var/folders/x', '/dev/shm/x'];
  expect(temporary.filter((it) => !isTemporary(it, '/home/w'))).toEqual([]);
  expect(['/etc/x', '/home/x', '/tmpx', '/var/x'].filter((it) => isTemporary(it, '/home/w'))).toEqual([]);
  expect(temporary.filter((it) => !scratch(null, it))).toEqual([]);
  expect([isTemporary('/tmp/trees/two/x', '/tmp/trees/one'), isTemporary('/tmp/x', '/tmp/trees/one')]).toEqual([
    false,
    true,
  ]);
  expect([isTemporary('/tmp/one/x', '/tmp/one'), isTemporary('/tmp/two', '/tmp/one')]).toEqual([false, true]);
});
