import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { takeLock } from '../../../compiler/io/files/lock.ts';
import { gitMark, runFolder } from '../../../compiler/tasks/worktree/run-folder.ts';
import { tempFolder } from '../../support/folder.ts';

test('every run has a folder of its own that nobody else can read, and its random name marks its processes', () => {
  const base = join(tempFolder(), 'deep/runs');
  const [one, two] = [runFolder(base), runFolder(base)];
  expect(one.path).not.toBe(two.path);
  for (const { path } of [one, two]) {
    expect([dirname(path), statSync(path).mode & 0o777]).toEqual([base, 0o700]);
    expect(basename(path)).toMatch(/^run-[0-9a-f]{16}$/);
    expect(existsSync(`${path}.lock`)).toBe(true);
  }
  expect(statSync(base).mode & 0o777).toBe(0o700);
  expect(gitMark(basename(one.path))).toBe(`${basename(one.path)}-git`);
  for (const it of [one, two]) it.remove();
});

test('a run that ends takes its folder and its lock with it, and nothing of another run', () => {
  const base = tempFolder();
  const [one, two] = [runFolder(base), runFolder(base)];
  mkdirSync(join(one.path, 'a/b'), { recursive: true });
  writeFileSync(join(one.path, 'a/b/c'), '');
  one.remove();
  expect(readdirSync(base).sort()).toEqual([basename(two.path), `${basename(two.path)}.lock`]);
  two.remove();
  expect(readdirSync(base)).toEqual([]);
});

test('the next run removes what a killed one left, and leaves a living one and other names alone', () => {
  const base = tempFolder();
  for (const it of ['run-dead', 'run-held', 'else']) mkdirSync(join(base, it));
  writeFileSync(join(base, 'run-dead.lock'), '');
  writeFileSync(join(base, 'run-lost.lock'), '');
  const release = takeLock(join(base, 'run-held.lock'));
  runFolder(base).remove();
  expect(readdirSync(base).sort()).toEqual(['else', 'run-held', 'run-held.lock']);
  release?.();
  runFolder(base).remove();
  expect(readdirSync(base)).toEqual(['else']);
});

test('a folder that others may write to is used by no run, and one that they may read is', () => {
  const base = tempFolder();
  for (const mode of [0o720, 0o702]) {
    chmodSync(base, mode);
    expect(() => runFolder(base)).toThrow(expect.objectContaining({ code: 'output_failed' }));
  }
  chmodSync(base, 0o755);
  runFolder(base).remove();
  writeFileSync(join(base, 'file'), '');
  expect(() => runFolder(join(base, 'file'))).toThrow(expect.objectContaining({ code: 'output_failed' }));
});
