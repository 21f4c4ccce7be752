import { expect, test } from 'vitest';
import type { CheckFinding, VerifyReport } from '../../../compiler/tasks/schema/verify-report.ts';
import { cannotKnow, isStale, verdictOf } from '../../../compiler/tasks/verify/verdict.ts';

type Result = CheckFinding['result'];
type Severity = CheckFinding['severity'];

const GIT = { path: 'config', before: null, after: 'x', when: 'agent', own: false } as const;
const GUARD = { path: 'program git', before: 'x', after: 'y' };

/** The verdict on two passes with one finding each, and the proposal. */
function verdict(findings: readonly (readonly [Result, Severity])[], more: Partial<VerifyReport> = {}): string {
  const passes = findings.map(([result, severity], at) => ({
    pass: at === 0 ? ('worktree' as const) : ('simulated-merge' as const),
    tree: null,
    findings: [{ check: 'quality::tests-green', severity, result, reason: '', detail: null }],
  }));
  const told = verdictOf({ git: [], guard: [], ...more, passes });
  return `${told.verdict} ${told.proposal ?? 'nothing'}`;
}

test('work holds if no check that blocks failed or could not be judged', () => {
  expect(verdict([])).toBe('holds merge');
  for (const it of ['pass', 'not_applicable', 'bypassed'] as const)
    expect(verdict([[it, 'block']])).toBe('holds merge');
  for (const severity of ['warn', 'advisory'] as const)
    for (const it of ['fail', 'unknown'] as const) expect(verdict([[it, severity]])).toBe('holds merge');
});

test('one violation in any pass rejects the work; with a change of git or of the guard it is rolled back', () => {
  const last = [
    ['pass', 'block'],
    ['fail', 'block'],
  ] as const;
  expect(verdict(last)).toBe('violations reject_and_respawn');
  expect(verdict(last, { git: [GIT] })).toBe('violations reject_and_rollback');
  expect(verdict(last, { guard: [GUARD] })).toBe('violations reject_and_rollback');
  expect(verdict([['fail', 'block'], last[0]])).toBe('violations reject_and_respawn');
});

test('what could not be judged, or changed in git or in the guard, leaves the work unjudged', () => {
  const fine = [['pass', 'block']] as const;
  expect(verdict([...fine, ['unknown', 'block']])).toBe('unjudged nothing');
  expect(verdict(fine, { git: [GIT] })).toBe('unjudged nothing');
  expect(verdict(fine, { guard: [GUARD] })).toBe('unjudged nothing');
});

test('a report is stale as soon as main is at another commit', () => {
  const report = { main: { ref: 'refs/heads/main', commit: 'a' } } as VerifyReport;
  expect([isStale(report, 'a'), isStale(report, 'b'), isStale(report, '')]).toEqual([false, true, true]);
});

test('what no check can see is told: mounts that stayed open, what was reached, or that there was no sandbox', () => {
  const never = cannotKnow({ name: 'bwrap', left: [], reached: [] });
  expect(never.length).toBeGreaterThan(0);
  const open = { left: ['/mnt'], reached: ['a late socket'] };
  const more = cannotKnow({ name: 'unshare', ...open }).slice(never.length);
  expect(more.map((it) => [it.includes('/mnt'), it.includes('a late socket')])).toEqual([
    [true, false],
    [false, true],
  ]);
  const unconfined = cannotKnow({ name: 'none', ...open });
  expect([unconfined.slice(0, -1), unconfined.length]).toEqual([never, never.length + 1]);
  expect(unconfined.at(-1)).not.toMatch(/mnt|late/);
});
