import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { namesIn, readBaseline, type Baseline } from './baseline.ts';
import type { Run, Status } from './checks.ts';
import { surprises } from './compare.ts';

/** One scenario with these checks. */
function ran(checks: Readonly<Record<string, Status>>, revision = '2026-07-28'): Run {
  const list = Object.entries(checks).map(([id, status]) => ({ id, status, errorMessage: '' }));
  return { revision, scenario: 'ping', checks: list };
}

const accepting = (...ids: string[]): Baseline => [{ title: 'Ping', reason: 'not offered', checks: { ping: ids } }];

const found = (runs: readonly Run[], baseline: Baseline) =>
  surprises(runs, baseline).map(({ what, name }) => [what, name]);

test('all that is met, and all that is missed and in the baseline, is no surprise', () => {
  expect(found([ran({ one: 'SUCCESS', two: 'FAILURE', three: 'WARNING' })], accepting('two', 'three'))).toEqual([]);
});

test('a failure and a warning that are not in the baseline are surprises', () => {
  expect(found([ran({ one: 'FAILURE', two: 'WARNING' })], [])).toEqual([
    ['not met', 'ping/one'],
    ['not met', 'ping/two'],
  ]);
});

test('a check in the baseline that is met is a surprise', () => {
  expect(found([ran({ one: 'SUCCESS' })], accepting('one'))).toEqual([['met', 'ping/one']]);
});

test('a check that is met under one revision and missed under another is a surprise either way', () => {
  const runs = [ran({ one: 'SUCCESS' }, '2025-11-25'), ran({ one: 'FAILURE' })];
  expect(found(runs, accepting('one'))).toEqual([['met', 'ping/one']]);
  expect(found(runs, [])).toEqual([['not met', 'ping/one']]);
});

test('a check in the baseline that the suite does not have is a surprise', () => {
  expect(found([ran({ one: 'SUCCESS' })], accepting('two'))).toEqual([['unknown', 'ping/two']]);
});

test('a check that is in the baseline twice is a surprise, in one group or in two', () => {
  const runs = [ran({ one: 'FAILURE' })];
  expect(found(runs, accepting('one', 'one'))).toEqual([['twice', 'ping/one']]);
  expect(found(runs, [...accepting('one'), ...accepting('one')])).toEqual([['twice', 'ping/one']]);
});

test('notes of the suite and checks that it skips are no surprises, in the baseline or not', () => {
  const runs = [ran({ one: 'INFO', two: 'SKIPPED' })];
  expect(found(runs, [])).toEqual([]);
  expect(found(runs, accepting('one', 'two'))).toEqual([]);
});

test('a group of the baseline needs a title, a reason and checks', () => {
  expect(() => readBaseline('- {title: Ping, checks: {ping: [one]}}')).toThrow(/reason/);
  expect(() => readBaseline('- {title: Ping, reason: not offered, checks: {ping: []}}')).toThrow(/checks/);
});

test('the baseline of the server can be read, and the summary names every check in it', () => {
  const names = namesIn(readBaseline(readFileSync('test/conformance/baseline.yaml', 'utf8')));
  const summary = readFileSync('test/conformance/SUMMARY.md', 'utf8');
  expect(names.filter((name) => !summary.includes(`- \`${name}\``))).toEqual([]);
  expect(names).not.toEqual([]);
});
