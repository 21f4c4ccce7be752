import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { stateFolder, type StateFolder } from '../../../compiler/capabilities/use-cases/state-folder.ts';
import { openTaskFiles } from '../../../compiler/tasks/use-cases/task-files.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../support/folder.ts';
import { repository, type Repository } from '../../support/repository.ts';
import { worldIn } from '../../support/world.ts';

let repo: Repository;
let place: StateFolder;
beforeEach(async () => {
  repo = repository().write('.gitignore', '/tasks/\n').write('tasks/mend/task.toml', 'text');
  place = await stateFolder('.', undefined, worldIn(repo.path));
});

const codeOf = (id = 'mend', at: StateFolder = place) =>
  openTaskFiles(id, at).then(
    () => 'opened',
    (error: unknown) => (error as { readonly code: string }).code,
  );

test('a task is its file below the folder of tasks, with the prompt beside it', async () => {
  expect(await openTaskFiles('mend', place)).toEqual({
    folder: join(repo.path, 'tasks/mend'),
    file: 'tasks/mend/task.toml',
    prompt: 'tasks/mend/prompt.md',
    bytes: Buffer.from('text'),
  });
});

test('a name that no plan could have is refused, and a task that is not there is not found', async () => {
  expect([await codeOf('Mend'), await codeOf('../mend'), await codeOf('')]).toEqual(Array(3).fill('argument_invalid'));
  expect(await codeOf('other')).toBe('source_not_found');
  rmSync(join(repo.path, 'tasks/mend/task.toml'));
  expect(await codeOf()).toBe('source_not_found');
  rmSync(join(repo.path, 'tasks'), { recursive: true });
  expect(await codeOf()).toBe('source_not_found');
});

test('neither a bare repository nor the worktree of an agent has tasks', async () => {
  expect(await codeOf('mend', { ...place, repository: { ...place.repository, bare: true } })).toBe('task_invalid');
  mkdirSync(join(place.tasks, 'bindings'), { recursive: true });
  writeFileSync(join(place.tasks, 'bindings', `${sha256('/elsewhere')}.json`), '{}');
  expect(await codeOf()).toBe('opened');
  writeFileSync(join(place.tasks, 'bindings', `${sha256(place.repository.top)}.json`), '{}');
  expect(await codeOf()).toBe('task_invalid');
});

test('no folder and no file of a task is read through a link, and none of more than 256 KiB', async () => {
  repo.write('tasks/mend/task.toml', 'x'.repeat(262_144));
  expect(await codeOf()).toBe('opened');
  repo.write('tasks/mend/task.toml', 'x'.repeat(262_145));
  expect(await codeOf()).toBe('task_invalid');
  const outside = tempFolder();
  writeFileSync(join(outside, 'task.toml'), 'text');
  rmSync(join(repo.path, 'tasks/mend/task.toml'));
  symlinkSync(join(outside, 'task.toml'), join(repo.path, 'tasks/mend/task.toml'));
  expect(await codeOf()).toBe('task_invalid');
  rmSync(join(repo.path, 'tasks/mend'), { recursive: true });
  symlinkSync(outside, join(repo.path, 'tasks/mend'));
  expect(await codeOf()).toBe('task_invalid');
});

test('tasks that git would commit, or has, are refused with what mends it', async () => {
  repo.write('.gitignore', '');
  await expect(openTaskFiles('mend', place)).rejects.toMatchObject({
    code: 'task_invalid',
    details: { suggestion: "echo '/tasks/' >> .gitignore" },
  });
  repo.write('.gitignore', '/tasks/\n').git('add', '--force', 'tasks/mend/task.toml');
  await expect(openTaskFiles('mend', place)).rejects.toMatchObject({
    code: 'task_invalid',
    details: { suggestion: 'git rm -r --cached tasks' },
  });
});
