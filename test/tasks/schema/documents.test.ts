import { expect, test } from 'vitest';
import { GitState } from '../../../compiler/tasks/schema/git-state.ts';
import { AgentId, ObjectId, RealPath, TaskId } from '../../../compiler/tasks/schema/ids.ts';
import { LedgerRow } from '../../../compiler/tasks/schema/ledger-row.ts';
import { Plan } from '../../../compiler/tasks/schema/plan.ts';
import { TaskFile } from '../../../compiler/tasks/schema/task-file.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { planOf, spawnRow } from '../../support/planned.ts';

const fits = (schema: { safeParse: (it: unknown) => { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;
const x = (length: number) => 'x'.repeat(length);

test('a name is safe as a folder, a branch and a word of a command line, and has an end', () => {
  for (const schema of [TaskId, AgentId]) {
    expect(['a', 'fix-login-1', '0'].every((it) => fits(schema, it))).toBe(true);
    const unsafe = ['', '-a', 'a-', 'a--b', 'A', 'a b', '..', 'a/b', 'a.b', 'ä'];
    expect(unsafe.filter((it) => fits(schema, it))).toEqual([]);
  }
  expect([fits(TaskId, x(64)), fits(TaskId, x(65)), fits(AgentId, x(100)), fits(AgentId, x(101))]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('an id of a commit is whole, and a path absolute', () => {
  expect([40, 64, 39, 41, 63].map((it) => fits(ObjectId, 'a'.repeat(it)))).toEqual([true, true, false, false, false]);
  expect(fits(ObjectId, 'A'.repeat(40))).toBe(false);
  const paths = ['/a', `/${x(4095)}`, `/${x(4096)}`, '/', 'a', ''];
  expect(paths.map((it) => fits(RealPath, it))).toEqual([true, true, false, false, false, false]);
});

const event = { format: 1, agent_id: 'a-1', at: '2026-11-23T12:00:00Z' };
const document = { digest: sha256(''), text: '' };
const why = { reason: 'why' };

test.each<[string, object]>([
  ['a spawn', spawnRow('a-1')],
  ['a bypass', { ...event, kind: 'bypass', atom: 'quality::tests-green', ...why }],
  ['a revocation of an agent', { ...event, kind: 'revocation', atom: null, ...why }],
  ['a revocation of a bypass', { ...event, kind: 'revocation', atom: 'quality::tests-green', ...why }],
  ['work that holds', { ...event, kind: 'verify', plan_digest: sha256(''), verdict: 'holds', report: document }],
  ['violations', { ...event, kind: 'verify', plan_digest: sha256(''), verdict: 'violations', report: document }],
  ['unjudged work', { ...event, kind: 'verify', plan_digest: sha256(''), verdict: 'unjudged', report: document }],
  ['a removal', { ...event, kind: 'clean', worktree: '/w', discarded: true }],
  ['an explanation', { ...event, kind: 'explanation', changes: [{ path: 'a', before: null, after: 'x' }], ...why }],
])('the ledger holds %s, and no row of another format, kind or shape', (_, row) => {
  expect(LedgerRow.parse(row)).toEqual(row);
  for (const more of [{ format: 2 }, { kind: 'other' }, { verdict: 'good' }, { agent_id: '..' }, { at: 'now' }])
    expect(fits(LedgerRow, { ...row, ...more })).toBe(false);
});

const many = <T>(length: number, it: T) => Array.from({ length }, () => it);

test('a document of the ledger has at most 16 MiB, and an explanation 10,000 changes', () => {
  const verify = { ...event, kind: 'verify', plan_digest: sha256(''), verdict: 'holds' };
  const most = 16 * 1024 * 1024;
  const of = (text: string) => fits(LedgerRow, { ...verify, report: { digest: sha256(''), text } });
  expect([of(x(most)), of(x(most + 1))]).toEqual([true, false]);
  const change = { path: 'a', before: null, after: null };
  const explained = (count: number) =>
    fits(LedgerRow, { ...event, kind: 'explanation', changes: many(count, change), ...why });
  expect([explained(1), explained(10_000), explained(10_001)]).toEqual([true, true, false]);
});

test('a plan has its own format and an end to everything that others give it', () => {
  const of = (more: object) => fits(Plan, { ...planOf('a-1'), ...more });
  const bundle = (length: number) => ({ bundle: { revision: x(length), root_digest: sha256('') } });
  const fine = [
    {},
    { spawns: many(64, 'edit-local') },
    bundle(256),
    { guard: { [x(4200)]: x(9000) } },
    { parent: 'a-0' },
    { obeyed_allowed: ['**'] },
  ];
  expect(fine.filter((it) => !of(it))).toEqual([]);
  const wrong = [
    { format: 2 },
    { spawns: many(65, 'edit-local') },
    bundle(257),
    { guard: { [x(4201)]: '' } },
    { guard: { a: x(9001) } },
    { parent: '..' },
    { worktree: 'relative' },
    { base: 'main' },
    { task: { id: 'A', digest: sha256('') } },
    { other: 1 },
  ];
  expect(wrong.filter(of)).toEqual([]);
});

test('a state of git has paths of at most 4096 letters, and values of at most 8192', () => {
  const of = (path: number, value: number) => fits(GitState, { format: 1, entries: { [x(path)]: x(value) } });
  expect([of(4096, 8192), of(4097, 1), of(1, 8193)]).toEqual([true, false, false]);
});

test('a reason in the ledger is one line, neither empty nor longer than 500', () => {
  const of = (reason: string) => fits(LedgerRow, { ...event, kind: 'revocation', atom: null, reason });
  expect([of('w'), of(x(500)), of(x(501)), of(''), of('a\nb')]).toEqual([true, true, false, false, false]);
  expect(fits(LedgerRow, { ...event, kind: 'explanation', changes: [], ...why })).toBe(false);
});

const TASK = { task: { role: 'edit-local' }, body: { text: 'Mend it.' } };

test('lists of a task have an end, and each name in them is plain', () => {
  const paths = (count: number) => fits(TaskFile, { ...TASK, scope: { 'files-whitelist': many(count, 'src/**') } });
  expect([paths(1024), paths(1025)]).toEqual([true, false]);
  const names = (...list: readonly string[]) =>
    fits(TaskFile, { ...TASK, verification: { 'cargo-test-crates': list } });
  expect([names(...many(256, 'a')), names(...many(257, 'a'))]).toEqual([true, false]);
  expect(['a', '_a.b-c', '0', x(128)].every((it) => names(it))).toBe(true);
  expect([x(129), '', '.a', '-a', 'a b', 'a/b'].filter((it) => names(it))).toEqual([]);
  const flag = (it: unknown) => fits(TaskFile, { ...TASK, scope: { 'allow-dependency-changes': it } });
  const count = (it: unknown) => fits(TaskFile, { ...TASK, verification: { 'test-count-min': it } });
  expect([count(1), count(0.5), count('1')]).toEqual([true, false, false]);
  expect(flag('yes')).toBe(false);
  const body = (length: number) => fits(TaskFile, { ...TASK, body: { text: x(length) } });
  expect([0, 65_536, 65_537].map(body)).toEqual([false, true, false]);
});

test('the texts of a task that others show are one line, with an end', () => {
  const of = (more: object) => fits(TaskFile, { ...TASK, task: { ...TASK.task, ...more } });
  expect([of({ description: 'd' }), of({ description: x(120) }), of({ 'agent-type': 'code-implementer' })]).toEqual([
    true,
    true,
    true,
  ]);
  const wrong = [
    { description: '' },
    { description: x(121) },
    { description: 'a\nb' },
    { 'agent-type': '-x' },
    { 'agent-type': x(65) },
    { 'agent-id': 'A' },
    { 'parent-agent': '..' },
    { spawns: Array.from({ length: 65 }, () => 'edit-local') },
  ];
  expect(wrong.filter(of)).toEqual([]);
});
