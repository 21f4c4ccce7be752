import { expect, test } from 'vitest';
import type { PassWork } from '../../../compiler/tasks/checks/check-module.ts';
import { conflictFinding, isViolation, judgePass, refusalFindings } from '../../../compiler/tasks/verify/judge-pass.ts';
import { plannedCheck } from '../../support/work.ts';

/** The work of an agent that changed one file and reports nothing. */
function workIn(pass: PassWork['pass']): PassWork {
  const none = () => Promise.resolve(null);
  return {
    pass,
    agent_id: 'a-1',
    task: 't',
    changes: [{ path: 'lib/x', before: null, after: 'x', mode: '100644' }],
    files: () => Promise.resolve(['lib/x']),
    read: none,
    readBefore: none,
    report: null,
    git: { own: [], shared: [] },
    commands: () => () => Promise.reject(new Error('no command')),
  };
}

const WHITELIST = plannedCheck('verifies::scope_files_whitelist', ['files-whitelist']);
const TASK = { 'files-whitelist': ['src/**'] };
const judged = async (check: object, pass: PassWork['pass'] = 'worktree', bypassed = new Map<string, string>()) => {
  const findings = await judgePass(workIn(pass), [{ ...WHITELIST, ...check }], TASK, bypassed);
  return findings.map((it) => it.result);
};

test('a check runs in the passes that its plan says', async () => {
  const of = async (run_mode: string) => [await judged({ run_mode }), await judged({ run_mode }, 'simulated-merge')];
  expect(await of('both')).toEqual([['fail'], ['fail']]);
  expect(await of('worktree')).toEqual([['fail'], []]);
  expect(await of('simulated-merge')).toEqual([[], ['fail']]);
});

test('a check that is missing, runs at another time or breaks passes nothing', async () => {
  expect(await judged({ module: 'verifies::nothing' })).toEqual(['unknown']);
  expect(await judged({ module: 'constructor' })).toEqual(['unknown']);
  expect(await judged({ when: 'per-tool-call' })).toEqual(['unknown']);
  const broken = await judgePass(workIn('worktree'), [WHITELIST], { 'files-whitelist': true }, new Map());
  expect(broken.map((it) => it.result)).toEqual(['unknown']);
});

test('a bypass names its reason, and is for its own atom alone', async () => {
  const bypassed = new Map([[WHITELIST.atom, 'the list was too short']]);
  expect(await judgePass(workIn('worktree'), [WHITELIST], TASK, bypassed)).toEqual([
    {
      check: WHITELIST.atom,
      severity: 'block',
      result: 'bypassed',
      reason: 'the list was too short',
      detail: null,
    },
  ]);
  expect(await judged({}, 'worktree', new Map([['scope::other', 'x']]))).toEqual(['fail']);
});

test('one check does not stop the others, and each finding has the weight of its plan', async () => {
  const checks = [
    { ...WHITELIST, module: 'verifies::nothing' },
    { ...WHITELIST, severity: 'warn' as const },
  ];
  const findings = await judgePass(workIn('worktree'), checks, TASK, new Map());
  expect(findings.map((it) => [it.result, it.severity])).toEqual([
    ['unknown', 'block'],
    ['fail', 'warn'],
  ]);
});

test('content that no commit may have is one violation for each reason, with its paths', () => {
  const findings = refusalFindings([
    { path: 'a', rule: 'unreadable' },
    { path: 'b', rule: 'unreadable' },
  ]);
  expect(findings.map((it) => [it.check, it.result, it.severity, it.detail])).toEqual([
    ['snapshot', 'fail', 'block', 'a\nb'],
  ]);
  expect(refusalFindings([])).toEqual([]);
});

test('a conflict rejects work like any other violation, and what only warns does not', () => {
  const conflict = conflictFinding(['a', 'b']);
  expect([isViolation(conflict), conflict.check, conflict.detail]).toEqual([true, 'merge', 'a\nb']);
  expect(isViolation({ ...conflict, severity: 'warn' })).toBe(false);
  expect(isViolation({ ...conflict, result: 'unknown' })).toBe(false);
});
