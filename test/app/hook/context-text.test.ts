import { expect, test } from 'vitest';
import { contextText, type Page } from '../../../compiler/app/hook/context-text.ts';

const page = (name: string, listedName?: string | null): Page => ({
  ...{ name, version: 'v1', description: `About ${name}`, content: '', tokens: 1 },
  ...(listedName !== undefined && { start: { folder: `.claude/skills/${name}`, listedName } }),
});

const headOf = (...names: readonly Page[]) => contextText({ names }).text.split('\n')[0];

test('names of skills that the host lists are started by it, and any other name is recalled', () => {
  expect(headOf(page('a', 'a'), page('b', 'b'))).toBe('If one fits, start it: `Skill(<name>)`:');
  for (const other of [page('b'), page('b', null), page('b', 'c')])
    expect(headOf(page('a', 'a'), other)).toBe('If one fits, get it with `recall_instruction` (`manifest_hint`):');
});
