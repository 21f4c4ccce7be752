import { expect, test } from 'vitest';
import { VerifyReport } from '../../../../compiler/tasks/schema/verify-report.ts';
import type { Watched } from '../../../../compiler/tasks/use-cases/verify/git-watch.ts';
import { gitOf, guardOf, reportOf, type JudgedWork } from '../../../../compiler/tasks/use-cases/verify/work-report.ts';
import { planOf, spawnRow } from '../../../support/planned.ts';

const ID = (letter: string) => letter.repeat(40);
const change = (path: string, after: string | null = 'x') => ({ path, before: null, after });

function watched(...changes: readonly ReturnType<typeof change>[]): Watched {
  return { state: { format: 1, entries: {} }, newNames: [], changes: changes.map((it) => ({ ...it, own: false })) };
}

test('a change that was there before the checks is the agent’s, and another or a later one is of the checks', () => {
  const before = watched(change('a'), change('b'), change('gone', null));
  const after = watched(change('a'), change('b', 'y'), change('gone', null), change('c'));
  expect(gitOf(before, after).map((it) => `${it.path} ${it.when}`)).toEqual([
    'a agent',
    'b checks',
    'gone agent',
    'c checks',
  ]);
  expect(gitOf(before, watched())).toEqual([]);
});

test('of the guard each path is told once, as it is last, also if it was put back', () => {
  expect(guardOf([change('a'), change('b')], [change('b', 'y'), change('c')])).toEqual([
    change('a'),
    change('b', 'y'),
    change('c'),
  ]);
});

function given(more: Partial<JudgedWork> = {}): JudgedWork {
  const [plan, spawn] = [planOf('a-1', { escalation: 'fail-fast' }), spawnRow('a-1')];
  const file = { path: 'src/a', before: null, after: ID('c'), mode: '100644' };
  return {
    agent: { plan, spawn, state: { format: 1, entries: {} } },
    main: { ref: 'refs/heads/main', commit: ID('d') },
    snapshot: {
      ...{ base: plan.base, tree: ID('e'), commit: ID('f'), changes: [file, file], refusals: [] },
      ...{ left_out: ['pipe'], second_names: ['twin'] },
    },
    ...{
      passes: [],
      merge: null,
      git: [],
      guard: [],
      newNames: ['tool'],
      cleared: [],
      report: 'done',
      runMode: 'both',
    },
    cleared: [
      { privileged: ['b', 'a'], isWhole: true },
      { privileged: ['b'], isWhole: false },
    ],
    sandbox: { name: 'bwrap', left: ['/mnt'], reached: [] },
    ...more,
  };
}

test('a report says what was judged of whom, and when, to the second', () => {
  const work = given();
  const report = reportOf(work, { now: () => new Date('2026-11-23T12:00:00.999Z') });
  expect(VerifyReport.parse(report)).toEqual(report);
  const { plan, spawn } = work.agent;
  const { cannot_know, ...rest } = report;
  expect(rest).toEqual({
    ...{ format: 1, agent_id: 'a-1', task: plan.task, role: plan.role, plan_digest: spawn.plan.digest },
    ...{ run_mode: 'both', main: work.main, base: plan.base },
    snapshot: { tree: ID('e'), commit: ID('f'), changes: 2, left_out: ['pipe'] },
    ...{ merge: null, passes: [], git: [], guard: [], verdict: 'holds', proposal: 'merge' },
    noticed: [
      { what: 'new_in_git', path: 'tool' },
      { what: 'not_searched', path: '.' },
      { what: 'privileged', path: 'a' },
      { what: 'privileged', path: 'b' },
      { what: 'second_name', path: 'twin' },
    ],
    ...{ escalation: 'fail-fast', sandbox: 'bwrap', agent_report: 'done', at: '2026-11-23T12:00:00Z' },
  });
  expect(cannot_know.join('\n')).toContain('/mnt');
});

test('of each kind of notice a report has the first thousand', () => {
  const many = Array.from({ length: 1001 }, (_, at) => `name-${at}`);
  const { noticed } = reportOf(given({ newNames: many }), { now: () => new Date(0) });
  expect(noticed.filter((it) => it.what === 'new_in_git').map((it) => it.path)).toEqual(many.slice(0, 1000));
});
