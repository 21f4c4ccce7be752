import { expect, test } from 'vitest';
import { verdictOutcome } from '../../../../compiler/cli/commands/task/task-output.ts';
import type { VerifyReport } from '../../../../compiler/schema/task/verify-report.ts';

test.each(['bwrap', 'unshare', 'none'] as const)(
  'a verdict in the sandbox %s says whether it is unconfined',
  (sandbox) => {
    const report = { agent_id: 'a', verdict: 'holds', proposal: 'merge', sandbox, snapshot: { commit: 'c' } };
    const { text } = verdictOutcome(report as unknown as VerifyReport, {});
    expect(text.includes('unconfined')).toBe(sandbox === 'none');
  },
);
