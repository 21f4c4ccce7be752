import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { versionsIn } from '../../../compiler/present/page/data/versions.ts';
import { answeredUnits, rankedUnits } from '../../../compiler/present/page/parts/ranked-units.ts';
import { AGENT_VIEWS, agentHref, parseRoute, type AgentView } from '../../../compiler/present/page/parts/route.ts';
import { sortRows } from '../../../compiler/present/page/parts/sort-rows.ts';
import { TERMS } from '../../../compiler/present/page/parts/terms.ts';
import {
  count,
  day,
  instant,
  isCommit,
  percent,
  short,
  shown,
  whole,
} from '../../../compiler/present/page/parts/wording.ts';
import { UNVERSIONED } from '../../../compiler/schema/source/sources.ts';

type Of<F extends (...args: never[]) => unknown, N extends number> = Parameters<F>[N];

test('every address that the page links to is read as the view that it was made for', () => {
  for (const tab of Object.keys(AGENT_VIEWS) as AgentView[])
    expect(parseRoute(agentHref('cto', tab))).toEqual({ view: 'agent', agent: 'cto', tab, unit: null });
  const unit = { view: 'agent', agent: 'cto', tab: 'units', unit: 'wrap-up' };
  expect(parseRoute(agentHref('cto', 'units', 'wrap-up'))).toEqual(unit);
});

test('the page takes what a working tree has beyond its commits for no commit', () => {
  expect([isCommit(UNVERSIONED), isCommit('47d14eab7a8adb19df850c307f39a8a60a2f48d3')]).toEqual([false, true]);
});

test.each([
  ['', 'overview'],
  ['#', 'overview'],
  ['#/', 'overview'],
  ['#/changes', 'unknown'],
  ['#/agents', 'unknown'],
  ['#/agents/', 'unknown'],
  ['#/agents/CTO', 'unknown'],
  ['#/agents/../cto', 'unknown'],
  ['#/agents/cto/', 'unknown'],
  ['#/agents/cto/nothing', 'unknown'],
  ['#/agents/cto/constructor', 'unknown'],
  ['#/agents/cto/probes/wrap-up', 'unknown'],
  ['#/agents/cto/units/wrap-up/more', 'unknown'],
  [`#/agents/${'a'.repeat(65)}`, 'unknown'],
  [`#/agents/${'a'.repeat(64)}`, 'agent'],
])('the address “%s” of the page leads to the view %s', (hash, view) => {
  expect(parseRoute(hash).view).toBe(view);
});

const ROWS = [{ n: 2 }, { n: null }, { n: 10 }, { n: 1 }];
const COLUMNS = [{ by: (it: { n: number | null }) => it.n }, {}];

test.each([
  [false, [1, 2, 10, null]],
  [true, [10, 2, 1, null]],
])(
  'a table of the page that is sorted by numbers, descending %s, has rows without a value last',
  (descending, order) => {
    expect(sortRows(ROWS, COLUMNS, { column: 0, descending }).map((it) => it.n)).toEqual(order);
  },
);

test('a table of the page keeps the order of its rows where nothing sorts them, or they are equal', () => {
  expect(sortRows(ROWS, COLUMNS, null)).toBe(ROWS);
  expect(sortRows(ROWS, COLUMNS, { column: 1, descending: true })).toBe(ROWS);
  const equal = [
    { n: 1, id: 'a' },
    { n: 1, id: 'b' },
  ];
  for (const descending of [true, false])
    expect(sortRows(equal, COLUMNS, { column: 0, descending }).map((it) => it.id)).toEqual(['a', 'b']);
});

test('the page lists ranked units by rank, then the others by score, then by name', () => {
  const of = (name: string, rank: number | null, score: number) => ({ name, rank, score });
  const units = [of('d', null, 0.1), of('b', 2, 0.9), of('c', null, 0.1), of('e', null, 0.5), of('a', 1, 0.2)];
  const tried = { explain: { units } } as unknown as Of<typeof rankedUnits, 0>;
  expect(rankedUnits(tried).map((it) => it.name)).toEqual(['a', 'b', 'e', 'c', 'd']);
});

test('the page finds the versions of a unit with its agent, then with what is gone, then with what is shared', () => {
  const of = (name: string, more_versions: number, shared = false) => ({ name, shared, versions: [], more_versions });
  const agent = { units: [of('own', 1), of('common', 9, true)], gone: [of('old', 2), of('own', 8)] };
  const [a, r] = [agent, { shared: [of('common', 3), of('old', 7)] }] as unknown as [
    Of<typeof versionsIn, 0>,
    Of<typeof versionsIn, 1>,
  ];
  const found = ['own', 'old', 'common', 'nothing'].map((name) => versionsIn(a, r, name).more_versions);
  expect(found).toEqual([1, 2, 3, 0]);
});

test('the page writes figures as people read them', () => {
  expect([percent(null), percent(0), percent(0.456), percent(0.456, 1)]).toEqual(['–', '0 %', '46 %', '45.6 %']);
  expect([whole(0), whole(12_345)]).toEqual(['0', '12,345']);
  expect([count(1, 'unit'), count(1200, 'unit'), count(2, 'unit comes', 'units come')]).toEqual([
    '1 unit',
    '1,200 units',
    '2 units come',
  ]);
  expect([instant('2026-05-04T12:34:56Z'), day('2026-05-04T12:34:56Z')]).toEqual(['2026-05-04 12:34', '2026-05-04']);
  expect(short('0123456789abcdef')).toBe('0123456789');
});

test('a share that is not all or nothing never reads as 100 % or 0 % on the page', () => {
  expect([0.995, 0.9999, 0.004, 0.0001].map((it) => percent(it))).toEqual(['99.5 %', '99.9 %', '0.4 %', '0.1 %']);
  expect([percent(0.9999, 1), percent(1, 1), percent(0, 1)]).toEqual(['99.9 %', '100.0 %', '0.0 %']);
});

test('the page lists the units of an answer in the order in which they are read', () => {
  const units = [{ name: 'b' }, { name: 'a' }, { name: 'c' }];
  const tried = { order: ['c', 'a'], explain: { units } } as unknown as Of<typeof answeredUnits, 0>;
  expect(answeredUnits(tried).map((it) => it.name)).toEqual(['c', 'a']);
});

test('a word of the page that the glossary has means the same there', () => {
  const rows = readFileSync('compiler/README.md', 'utf8').matchAll(/^\| ([a-z ]+?) *\| (.+?) *\| `?\w*`? *\|$/gm);
  const glossary = new Map([...rows].map(([, word = '', meaning = '']) => [word, meaning.replaceAll("'", '’')]));
  const both = Object.values(TERMS).filter(({ word }) => glossary.has(word));
  expect(both.length).toBeGreaterThan(8);
  expect(both.map(({ word, meaning }) => [word, meaning])).toEqual(both.map(({ word }) => [word, glossary.get(word)]));
});

test('the page shows characters that hide or reorder others by their number', () => {
  expect(shown('a\u202Eb\u200Bc\u0000\u{E0041}')).toBe('a⟨U+202E⟩b⟨U+200B⟩c⟨U+0000⟩⟨U+E0041⟩');
  expect(shown('a line\n\tand another, ü 漢')).toBe('a line\n\tand another, ü 漢');
});
