import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { findRepository } from '../../../compiler/io/git/repository.ts';
import { unmergedWork } from '../../../compiler/tasks/use-cases/clean-agents.ts';
import { addWorktree } from '../../../compiler/tasks/worktree/add-worktree.ts';
import { tempFolder } from '../../support/folder.ts';
import { repository } from '../../support/repository.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The worktree of an agent on the newest commit of main. */
async function place() {
  const repo = repository().write('a.txt', 'a\n').write('.gitignore', 'build/\n');
  const base = repo.commit();
  const found = await findRepository(repo.path);
  if (found === null) throw new Error('no repository');
  const worktree = { path: join(tempFolder(), 'trees/agent-1'), repository: found };
  await addWorktree(worktree, base);
  const write = (name: string, text: string) => {
    writeFileSync(join(worktree.path, name), text);
  };
  return { repo, worktree, write, left: (main = 'HEAD') => unmergedWork(worktree, base, main) };
}

test('a worktree that is as it began, or gone, has no work that could be lost', async () => {
  const { worktree, left } = await place();
  expect(await left()).toBeNull();
  rmSync(worktree.path, { recursive: true });
  expect(await left()).toBeNull();
});

test('work that main does not have is told with its number of files and one of them, until main has it', async () => {
  const { repo, write, left } = await place();
  write('b.txt', 'b\n');
  write('c.txt', 'c\n');
  expect(await left()).toMatch(/^2 .*HEAD.* b\.txt$/);
  repo.write('b.txt', 'b\n').commit();
  expect(await left()).not.toBeNull();
  repo.write('c.txt', 'c\n').write('more.txt', 'x').commit();
  expect(await left()).toBeNull();
  expect(await left('HEAD~1')).toContain('HEAD~1');
});

test('work that main cannot be merged with is work', async () => {
  const { repo, write, left } = await place();
  write('a.txt', 'by the agent\n');
  repo.write('a.txt', 'by a person\n').commit();
  expect(await left()).toContain('a.txt');
});

test('what can be in no commit is work too', async () => {
  const { write, left } = await place();
  write('back\\slash', 'x');
  expect(await left()).toContain('back\\slash');
});

test('a main that is no commit is refused, and the folder that it works in is gone in any case', async () => {
  const temporary = tempFolder();
  vi.stubEnv('TMPDIR', temporary);
  const { write, left } = await place();
  write('b.txt', 'b\n');
  expect(await left()).not.toBeNull();
  await expect(left('nowhere')).rejects.toMatchObject({ code: 'ref_not_found' });
  const runs = readdirSync(temporary).filter((it) => it.startsWith('vade-verify-'));
  expect(runs.map((it) => readdirSync(join(temporary, it)))).toEqual([[]]);
});
