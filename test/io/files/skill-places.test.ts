import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skillPlaces } from '../../../compiler/io/files/skill-places.ts';
import { tempFolder } from '../../support/folder.ts';

const LISTED = '.claude/skills';

function treeWith(...folders: string[]): string {
  const tree = tempFolder();
  for (const it of folders) writeSkill(join(tree, it));
  return tree;
}

function writeSkill(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'SKILL.md'), 'Do it.\n');
}

test('a skill is there while its file is, and not by its folder alone', () => {
  const tree = treeWith('skills/a');
  const { has } = skillPlaces(tree, LISTED);
  expect([has('skills/a'), has('skills/b')]).toEqual([true, false]);
  rmSync(join(tree, 'skills/a/SKILL.md'));
  expect(has('skills/a')).toBe(false);
});

test('nothing outside of the tree is a skill of it, by a link or by dots', () => {
  const tree = treeWith('inside/a');
  const other = treeWith('b');
  symlinkSync(join(other, 'b'), join(tree, 'linked'));
  symlinkSync(join(tree, 'inside/a'), join(tree, 'own'));
  const { has } = skillPlaces(tree, LISTED);
  expect(['linked', join('..', other.split('/').at(-1)!, 'b'), 'own'].map(has)).toEqual([false, false, true]);
});

test('a tree behind a link has its skills', () => {
  const link = join(tempFolder(), 'worktree');
  symlinkSync(treeWith(`${LISTED}/a`), link);
  expect(skillPlaces(link, LISTED).listedName(`${LISTED}/a`)).toBe('a');
});

test('a host lists what lies in its folder or is linked from there, unless its name would have to be quoted', () => {
  const tree = treeWith(`${LISTED}/a`, `${LISTED}/it's (one)`, 'skills/b', 'skills/c', `${LISTED}/c`);
  symlinkSync(join(tree, 'skills/b'), join(tree, LISTED, 'b'));
  const names = (listed?: string) =>
    [`${LISTED}/a`, 'skills/b', 'skills/c', `${LISTED}/it's (one)`, 'skills/gone'].map(
      skillPlaces(tree, listed).listedName,
    );
  expect(names(LISTED)).toEqual(['a', 'b', null, null, null]);
  expect(names()).toEqual([null, null, null, null, null]);
});
