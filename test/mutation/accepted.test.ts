import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changeOf, readAccepted, reasonOf, staleOf } from './accepted.ts';
import { mutantsOf } from './mutants.ts';
import { failsOf, scoreOf } from './report.ts';
import { nearestFirst, ROOMS, sourcesOf } from './rooms.ts';
import { sampleOf } from './sample.ts';

const [mutant] = mutantsOf('a.ts', 'const a = 1;\nconst b = c === d;\n').slice(1);
const entry = { file: 'a.ts', line: 'const b = c === d;', change: '=== → !==', reason: 'either is right' };
const judged = (killed: string | null) => [{ mutant: mutant!, killed, reached: true }];

test('An accepted survivor is recognised by its line and its change wherever the line stands', () => {
  const [moved] = mutantsOf('a.ts', '\n\n  const b = c === d;\n');
  expect(reasonOf(moved!, [entry])).toBe('either is right');
  expect(reasonOf(moved!, [{ ...entry, file: 'b.ts' }])).toBeNull();
  expect(reasonOf(moved!, [{ ...entry, line: 'const b = d === c;' }])).toBeNull();
  expect(reasonOf(moved!, [{ ...entry, change: '=== → ==' }])).toBeNull();
});

test('An entry is stale once its mutant is killed, or its line is gone', () => {
  expect(staleOf([entry], judged(null), false)).toEqual([]);
  expect(staleOf([entry], judged('a test'), false)).toEqual([entry]);
  expect(staleOf([{ ...entry, line: 'gone' }], judged(null), false)).toHaveLength(1);
});

test('An entry that a run did not try is not stale: its file is of another room, or a sample left it out', () => {
  expect(staleOf([{ ...entry, file: 'b.ts' }], judged(null), false)).toEqual([]);
  expect(staleOf([{ ...entry, line: 'not drawn' }], judged(null), true)).toEqual([]);
  expect(staleOf([entry], judged('a test'), true)).toEqual([]);
});

test('A score counts every mutant, the accepted ones too, and below 90 % a run fails', () => {
  const of = (killed: number, all: number) =>
    scoreOf(
      Array.from({ length: all }, (_, at) => ({
        mutant: mutant!,
        killed: at < killed ? 'a test' : null,
        reached: true,
      })),
    );
  expect(of(9, 10)).toEqual({ mutants: 10, killed: 9, percent: 90 });
  expect(failsOf([of(9, 10)], [])).toEqual([]);
  expect(failsOf([of(9, 10), of(89, 100)], [])).toHaveLength(1);
  expect(failsOf([of(9, 10)], [entry])).toHaveLength(1);
});

test('An entry without a reason is refused', () => {
  expect(() => readAccepted('- { file: a.ts, line: b, change: c }')).toThrow(TypeError);
});

test('Each accepted survivor of the repository names a mutant that its source has', () => {
  const stale = readAccepted(readFileSync('test/mutation/accepted.yaml', 'utf8')).filter((it) => {
    const mutants = existsSync(it.file) ? mutantsOf(it.file, readFileSync(it.file, 'utf8')) : [];
    return !mutants.some((own) => own.code === it.line && changeOf(own) === it.change);
  });
  expect(stale.map(({ file, line, change }) => ({ file, line, change }))).toEqual([]);
});

test('Every room has sources', () => {
  for (const room of Object.values(ROOMS)) expect(sourcesOf('.', room)).not.toEqual([]);
});

test('The test files nearest to a source are its mirror, then those of its folder, then those further down, then the others in their order', () => {
  const tests = [
    'test/trust/dsse.test.ts',
    'test/trust/ssh/keys/c.test.ts',
    'test/attack/1-names.test.ts',
    'test/trust/ssh/b.test.ts',
    'test/trust/ssh/a.test.ts',
  ];
  const [dsse, below, names, other, mirror] = tests;
  expect(nearestFirst('compiler/trust/ssh/a.ts', tests)).toEqual([mirror, other, below, dsse, names]);
});

test('A sample is the same for a seed, another for another seed, and keeps the order', () => {
  const all = Array.from({ length: 100 }, (_, at) => at);
  const drawn = sampleOf(all, 10, 1);
  expect(drawn).toHaveLength(10);
  expect(sampleOf(all, 10, 1)).toEqual(drawn);
  expect(sampleOf(all, 10, 2)).not.toEqual(drawn);
  expect([...drawn].sort((a, b) => a - b)).toEqual(drawn);
});
