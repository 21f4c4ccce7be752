import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GitState } from '../../compiler/tasks/schema/git-state.ts';
import type { LedgerRow } from '../../compiler/tasks/schema/ledger-row.ts';
import { gitChanges } from '../../compiler/tasks/verify/compare-git-states.ts';
import { unexplained } from '../../compiler/tasks/verify/explained.ts';
import { canonicalJson, sha256 } from '../../compiler/trust/canonical.ts';
import { spawnRow } from '../support/planned.ts';

const state = (entries: Record<string, string>): GitState => ({ format: 1, entries });
const AT = '2026-11-23T12:00:00Z';
const NONE = { ref: 'refs/heads/main', steps: [] };

const explanation = (path: string, before: string | null, after: string | null): LedgerRow => ({
  ...{ format: 1, kind: 'explanation', agent_id: 'one', at: AT, reason: 'looked at' },
  changes: [{ path, before, after }],
});

function spawned(id: string, entries: Record<string, string>): LedgerRow {
  const text = canonicalJson(state(entries));
  return { ...spawnRow(id), git_state: { digest: sha256(text), text } };
}

/** The paths that stay unexplained. */
const left = (
  before: Record<string, string>,
  after: Record<string, string>,
  rows: readonly LedgerRow[],
  main = NONE,
) => {
  const from = state(before);
  return unexplained(gitChanges(from, state(after)), { before: from, rows, main }).map(({ path }) => path);
};

describe('what explains a change of .git', () => {
  test('nothing does by itself', () => {
    expect(left({ a: '1', b: '1' }, { a: '2', c: '1' }, [])).toEqual(['a', 'b', 'c']);
  });

  test('a person explains exactly one step; steps add up, in any order', () => {
    const rows = [explanation('a', '2', '3'), explanation('a', '1', '2')];
    expect(left({ a: '1' }, { a: '3' }, rows)).toEqual([]);
    expect(left({ a: '1' }, { a: '4' }, rows)).toEqual(['a']);
    expect(left({ a: '0' }, { a: '3' }, rows)).toEqual(['a']);
    expect(left({ b: '1' }, { b: '3' }, rows)).toEqual(['b']);
  });

  test('a spawn explains its own folder, as it made it, and nothing else that changed by then', () => {
    const made = { 'worktrees/two/gitdir': 'text /work/two/.git', 'worktrees/two/HEAD': 'text a' };
    const row = spawned('two', { ...made, 'refs/heads/stolen': 'text b', 'worktrees/other/HEAD': 'text a' });
    expect(left({}, made, [row])).toEqual([]);
    const stolen = { ...made, 'refs/heads/stolen': 'text b', 'worktrees/other/HEAD': 'text a' };
    expect(left({}, stolen, [row])).toEqual(['refs/heads/stolen', 'worktrees/other/HEAD']);
    expect(left({}, { ...made, 'worktrees/two/HEAD': 'text c' }, [row])).toEqual(['worktrees/two/HEAD']);
    expect(left({}, { ...made, 'worktrees/two/config.worktree': 'sha256 x' }, [row])).toEqual([
      'worktrees/two/config.worktree',
    ]);
  });

  test('a clean explains that a folder is gone, whatever it had become, and no other', () => {
    const two = { 'worktrees/two/gitdir': 'text /work/two/.git', 'worktrees/two/HEAD': 'text a' };
    const row: LedgerRow = {
      format: 1,
      kind: 'clean',
      agent_id: 'two',
      at: AT,
      worktree: '/work/two',
      discarded: true,
    };
    expect(left(two, {}, [row])).toEqual([]);
    expect(left({ ...two, 'worktrees/twofold/HEAD': 'text a' }, {}, [row])).toEqual(['worktrees/twofold/HEAD']);
    expect(left(two, { ...two, 'worktrees/two/HEAD': 'text b' }, [row])).toEqual(['worktrees/two/HEAD']);
    expect(left({}, {}, [{ ...row, worktree: '/work/none' }])).toEqual([]);
  });

  test('however entries change, exactly what is explained is left out', () => {
    const entries = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2', '3'), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(entries, entries, fc.subarray(['a', 'b', 'c', 'd']), (before, after, explained) => {
        const changes = gitChanges(state(before), state(after));
        const rows = changes
          .filter((it) => explained.includes(it.path))
          .map((it) => explanation(it.path, it.before, it.after));
        const expected = changes.map(({ path }) => path).filter((it) => !explained.includes(it));
        expect(left(before, after, rows)).toEqual(expected);
      }),
    );
  });
});
