import { expect, test } from 'vitest';
import type { GitState } from '../../../../compiler/tasks/schema/git-state.ts';
import { commitIn, mainRef } from '../../../../compiler/tasks/use-cases/verify/git-watch.ts';

const state = (entries: GitState['entries']): GitState => ({ format: 1, entries });
const ID = 'a'.repeat(40);

test('work is merged into the branch that was checked out at the start, or into HEAD if none was', () => {
  const of = (head?: string) => mainRef(state(head === undefined ? {} : { HEAD: head }));
  expect(of('text ref: refs/heads/release/2')).toBe('refs/heads/release/2');
  for (const it of [undefined, `text ${ID}`, 'text ref: refs/tags/v1', 'text ref: refs/heads/', 'link refs/heads/main'])
    expect(of(it)).toBe('HEAD');
});

test('an entry names a commit by its whole id, and anything else names none', () => {
  const of = (value?: string) => commitIn(state(value === undefined ? {} : { main: value }), 'main');
  expect([of(`text ${ID}`), of(`text ${'b'.repeat(64)}`)]).toEqual([ID, 'b'.repeat(64)]);
  const others = [undefined, ID, `text ${ID.slice(1)}`, `text ref: ${ID}`, `text ${ID} `, `text ${'b'.repeat(65)}`];
  expect(others.map(of)).toEqual(others.map(() => null));
});
