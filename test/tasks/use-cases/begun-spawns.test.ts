import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { begunSpawns, forgetSpawn, noteSpawn } from '../../../compiler/tasks/use-cases/begun-spawns.ts';
import { tempFolder } from '../../support/folder.ts';

test('a spawn is found by its note until it is forgotten, in the order of the names', () => {
  const tasks = tempFolder();
  expect(begunSpawns({ tasks })).toEqual([]);
  for (const it of ['fix-2', 'fix-1']) noteSpawn({ tasks }, it, `/trees/${it}`);
  expect(readdirSync(join(tasks, 'spawning')).sort()).toEqual(['fix-1', 'fix-2']);
  expect(begunSpawns({ tasks })).toEqual([
    { agent: 'fix-1', path: '/trees/fix-1' },
    { agent: 'fix-2', path: '/trees/fix-2' },
  ]);
  forgetSpawn({ tasks }, 'fix-1');
  forgetSpawn({ tasks }, 'fix-1');
  expect(begunSpawns({ tasks }).map((it) => it.agent)).toEqual(['fix-2']);
});

test('a note that names no worktree of its agent is none', () => {
  const tasks = tempFolder();
  mkdirSync(join(tasks, 'spawning'));
  const notes = { 'fix-1': 'trees/fix-1', 'fix-2': '/trees/other', 'fix-3': '', 'No Agent!': '/trees/No Agent!' };
  for (const [name, text] of Object.entries(notes)) writeFileSync(join(tasks, 'spawning', name), text);
  expect(begunSpawns({ tasks })).toEqual([]);
});
