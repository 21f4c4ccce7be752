import { describe, expect, test } from 'vitest';
import { checkApprovers, describeApprover, writtenBy } from '../../../compiler/gardens/approvals/branch-approvers.ts';
import type { FiledConsent } from '../../../compiler/gardens/approvals/read-decisions.ts';
import { plainRegister } from '../../../compiler/history/attribution.ts';
import type { BranchCommit } from '../../../compiler/schema/source/sources.ts';

const [ANN, BOB] = ['acme/human/ann', 'acme/human/bob'] as const;
const REGISTER = plainRegister('acme');
const TEXT = 'instructions/agents/cto/limits.md';
const FILED = 'instructions/approvals/one.json';

/** A commit of a branch by somebody. */
function commit(id: string, name: string, ...paths: string[]): BranchCommit {
  return { id, committed: 0, authored: 0, author: { name, email: `${name}@example.com` }, paths };
}

/** An approval of a unit in a file of its own. */
function approval(by: readonly string[], over: { garden?: string; unit?: string | null; file?: string } = {}) {
  const { file = FILED, ...rest } = over;
  return { approval: { garden: 'cto', unit: 'limits', ...rest }, by, file } as unknown as FiledConsent;
}

const told = (approvals: readonly FiledConsent[], branch: readonly BranchCommit[]) =>
  checkApprovers(approvals, branch, REGISTER, 'instructions').map(({ rule, file }) => [rule, file]);

describe('the commits of a branch that an administrator wrote', () => {
  test('are those that change more than approvals, in the order of the branch, by whatever spelling of the name', () => {
    const branch = [
      commit('1', 'Ann', TEXT),
      commit('2', 'Bob', TEXT),
      commit('3', 'ANN', FILED),
      commit('4', 'ann', FILED, TEXT),
      commit('5', 'Ann'),
      commit('6', 'Ann', 'docs/instructions/approvals/notes.json'),
    ];
    expect(writtenBy(ANN, branch, REGISTER, 'instructions')).toEqual(['1', '4', '6']);
    expect(writtenBy(BOB, branch, REGISTER, 'instructions')).toEqual(['2']);
  });
});

describe('an approver with commits on the branch', () => {
  test('is reported where the branch adds the approval, or changes the approved text', () => {
    const added = [commit('1', 'Ann', 'instructions/org.yaml'), commit('2', 'Bob', FILED)];
    expect(told([approval([ANN])], added)).toEqual([['approver_on_branch', FILED]]);
    expect(told([approval([ANN])], [commit('1', 'Ann', TEXT)])).toEqual([['approver_on_branch', FILED]]);
  });

  test('is not reported for approvals that the branch leaves as they are', () => {
    const paths = ['cto/wrap-up.md', 'ops/limits.md', 'cto/null.md'].map((it) => `instructions/agents/${it}`);
    const branch = [commit('1', 'Ann', ...paths)];
    expect(told([approval([ANN]), approval([ANN], { unit: null })], branch)).toEqual([]);
  });

  test('is not reported for commits that file or merge approvals only', () => {
    expect(told([approval([ANN])], [commit('1', 'Ann', FILED), commit('2', 'Bob', TEXT)])).toEqual([]);
  });

  test('is reported for a unit of all agents, too', () => {
    const branch = [commit('1', 'Ann', 'instructions/shared/limits.md')];
    expect(told([approval([ANN], { garden: 'shared' })], branch)).toEqual([['approver_on_branch', FILED]]);
  });

  test('is reported once for each of their approvals, by file, and not for approvals of others', () => {
    const branch = [commit('1', 'Ann', TEXT)];
    const approvals = ['c', 'a', 'b'].map((file) => approval(file === 'b' ? [BOB] : [BOB, ANN], { file }));
    expect(told(approvals, branch).map(([, file]) => file)).toEqual(['a', 'c']);
  });

  test('is described with the last three commits, and with their number where there are more', () => {
    const ids = ['1', '2', '3', '4'].map((it) => it.repeat(40));
    const shown = (commits: readonly string[]) => describeApprover(ANN, commits).match(/\b\d+\b/g);
    expect(shown(ids.slice(0, 3))).toEqual(['1', '2', '3'].map((it) => it.repeat(12)));
    expect(shown(ids)).toEqual(['4', ...['2', '3', '4'].map((it) => it.repeat(12))]);
  });
});
