import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../support/folder.ts';
import { agentsPlace, told } from '../../../support/spawned.ts';

const FILES = { 'src/a.js': 'a\n', 'src/hooks/pre-commit': '#!/bin/sh\n', 'src/gitconfig': '', 'src/clean.sh': '' };

/** The verdict on an agent that changed one file, where git is configured so. */
async function judged(path: string, keys: Readonly<Record<string, string>>, user = '') {
  const home = tempFolder();
  mkdirSync(join(home, '.config/git'), { recursive: true });
  writeFileSync(join(home, '.gitconfig'), user);
  const { repo, spawn, verify } = agentsPlace(FILES, { HOME: home });
  for (const [key, value] of Object.entries(keys)) repo.git('config', key, value);
  spawn('one').write(path, 'changed');
  return told(await verify('one')).failed;
}

const HELD = ['worktree obeyed'];

test.each([
  ['a hook of the folder that git is told', 'src/hooks/pre-commit', { 'core.hooksPath': 'src/hooks' }],
  ['a new hook of that folder', 'src/hooks/post-merge', { 'core.hooksPath': './src/hooks/' }],
  ['a configuration that is included', 'src/gitconfig', { 'include.path': '../src/gitconfig' }],
  ['the program of a filter', 'src/clean.sh', { 'filter.x.clean': 'sh ./src/clean.sh %f' }],
  ['the program of an alias', 'src/clean.sh', { 'alias.tidy': '!"src/clean.sh" --all' }],
])('%s holds the merge', async (_, path, keys) => {
  expect(await judged(path, keys)).toEqual(HELD);
});

test('the configuration of the user counts too', async () => {
  expect(await judged('src/hooks/pre-push', {}, '[core]\n\thooksPath = src/hooks\n')).toEqual(HELD);
});

test('other files are not held, and neither is a folder outside of the tree', async () => {
  expect(await judged('src/hooks-2.js', { 'core.hooksPath': 'src/hooks', 'alias.x': 'log --oneline' })).toEqual([]);
  expect(await judged('src/a.js', { 'core.hooksPath': '/elsewhere/src', 'core.editor': 'a.js' })).toEqual([]);
});
