import { expect, test } from 'vitest';
import { verdictOutcome } from '../../../../compiler/cli/commands/task/task-output.ts';
import type { VadeError } from '../../../../compiler/schema/errors.ts';
import type { VerifyReport } from '../../../../compiler/tasks/schema/verify-report.ts';

test.each(['bwrap', 'unshare', 'none'] as const)(
  'a verdict in the sandbox %s says whether it is unconfined',
  (sandbox) => {
    const report = { agent_id: 'a', verdict: 'holds', proposal: 'merge', sandbox, snapshot: { commit: 'c' } };
    const { text } = verdictOutcome(report as unknown as VerifyReport, {});
    expect(text.includes('unconfined')).toBe(sandbox === 'none');
  },
);

test('work that could not be judged says why, and what to do about what changed', () => {
  const unknown = { check: 'quality::tests-green', severity: 'block', result: 'unknown', reason: 'nothing says how' };
  const about = (git: readonly string[]) => ({
    ...{ agent_id: 'a', verdict: 'unjudged', proposal: null, sandbox: 'bwrap', guard: [] },
    git: git.map((path) => ({ path })),
    passes: [{ findings: [unknown] }, { findings: [unknown] }],
  });
  const thrown = (git: readonly string[]): VadeError => {
    try {
      verdictOutcome(about(git) as unknown as VerifyReport, {});
    } catch (error) {
      return error as VadeError;
    }
    throw new Error('it was judged');
  };
  expect(thrown([]).code).toBe('work_unjudged');
  expect(thrown([]).message).toMatch(/: quality::tests-green: nothing says how$/);
  expect(thrown([]).details['suggestion']).toBeUndefined();
  expect(thrown(['refs/heads/main']).message).toContain('refs/heads/main changed; quality::tests-green');
  expect(thrown(['refs/heads/main']).details['suggestion']).toContain('vade task explain --agent a');
  expect(thrown(['1', '2', '3', '4']).message).toContain('and 2 more');
});
