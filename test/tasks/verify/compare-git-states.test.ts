import { expect, test } from 'vitest';
import { UNKNOWN, type GitState } from '../../../compiler/tasks/schema/git-state.ts';
import { gitChanges, newNames } from '../../../compiler/tasks/verify/compare-git-states.ts';

const state = (entries: GitState['entries']): GitState => ({ format: 1, entries });

test('what is new, gone or different is a change, by path, and what is the same is none', () => {
  const [before, after] = [state({ z: '1', b: '1', same: '1' }), state({ same: '1', b: '2', a: '1' })];
  expect(gitChanges(before, after)).toEqual([
    { path: 'a', before: null, after: '1' },
    { path: 'b', before: '1', after: '2' },
    { path: 'z', before: '1', after: null },
  ]);
});

test('a name that nobody knows is no change, whether it came, went or became known', () => {
  expect(gitChanges(state({}), state({ a: UNKNOWN }))).toEqual([]);
  expect(gitChanges(state({ a: UNKNOWN }), state({}))).toEqual([]);
  expect(gitChanges(state({ a: UNKNOWN }), state({ a: '1' }))).toEqual([]);
  expect(gitChanges(state({ a: '1' }), state({ a: UNKNOWN }))).toEqual([]);
});

test('names that nobody knows are told in their order if they were not there before', () => {
  const after = state({ z: UNKNOWN, known: '1', old: UNKNOWN, became: UNKNOWN, a: UNKNOWN });
  expect(newNames(state({ old: UNKNOWN, became: '1' }), after)).toEqual(['a', 'z']);
});

test('a path that every object of JavaScript has is a path as others', () => {
  expect(gitChanges(state({}), state({ constructor: '1' }))).toEqual([
    { path: 'constructor', before: null, after: '1' },
  ]);
});
