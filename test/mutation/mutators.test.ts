import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { instrument, mutantsOf } from './mutants.ts';

const changes = (text: string) => mutantsOf('a.ts', text).map(({ mutator, from, to }) => `${mutator}: ${from} → ${to}`);

test.each([
  ['x = a < b;', ['boundary: < → <=', 'equality: < → >=']],
  ['x = a === b;', ['equality: === → !==']],
  ['x = a && b;', ['logical: && → ||']],
  ['x = a ?? b;', ['logical: a ?? b → a', 'logical: a ?? b → b']],
  ['x = a - b;', ['arithmetic: - → +']],
  ['x = !a;', ['negation: !a → a']],
  ['x = a?.b.c;', ['optional: ?. → .']],
  ['x = a?.[0];', ['number: 0 → 1', 'optional: ?. → ']],
  ['x = [a];', ['array: [a] → []']],
  ["x = 'code';", ["string: 'code' → 'mutated'"]],
  ['x = a.filter(b);', ['method: a.filter(b) → a']],
  ['x = Math.min(a);', ['method: min → max']],
  ['x = () => a;', ['result: a → undefined']],
])('%s has exactly the mutants of its one expression', (text, expected) => {
  expect(
    changes(text)
      .filter((it) => !it.startsWith('statement'))
      .sort(),
  ).toEqual([...expected].sort());
});

test.each([
  ["type A = 'a' | 1;", 'types'],
  ["import { a } from 'b';", 'imports'],
  ["throw new Error('no such unit');", 'sentences'],
  ["const a = { 'b': c };", 'names of properties'],
  ['const a = await import(b);', 'imports at run time'],
])('%s has no mutant: the program does not run it, or no test asserts it (%s)', (text) => {
  expect(changes(text)).toEqual([]);
});

test('The number that a comparison for sorting answers has no mutant: only its sign counts', () => {
  const numbers = (text: string) => changes(text).filter((it) => it.startsWith('number'));
  expect(numbers('x = a.sort((b, c) => (b < c ? -1 : 1));')).toEqual([]);
  expect(numbers('x = a.sort((b, c) => c.n - b.n || (b < c ? -1 : b > c ? 1 : 0));')).toEqual(['number: 0 → 1']);
  expect(numbers('x = a.map((b) => (b ? -1 : 1));')).toEqual(['number: 1 → 2', 'number: 1 → 2']);
  expect(numbers('x = a.sort((b, c) => (b ? 1 : 2) - (c ? 1 : 2));')).toHaveLength(4);
  expect(changes('x = a.sort((b, c) => (b < c ? -1 : 1));')).toContain('negation: -1 → 1');
});

test('The index that no list has is as good as another one, or none', () => {
  expect(changes('x = a[b ?? -1];')).toEqual([
    'statement: x = a[b ?? -1]; → ',
    'logical: b ?? -1 → -1',
    'negation: -1 → 1',
  ]);
  expect(changes('x = b ?? -1;')).toContain('logical: b ?? -1 → b');
  expect(changes('x = b ?? -1;')).toContain('number: 1 → 2');
});

test('A mutant tells the line, the column and the text that it changes', () => {
  const [mutant] = mutantsOf('a.ts', 'const a = 1 as const;\n  call();\n').filter((it) => it.mutator === 'statement');
  expect(mutant).toMatchObject({ path: 'a.ts', line: 2, column: 3, code: 'call();', from: 'call();', to: '' });
});

const SOURCE = `
  const found = [];
  for (const it of list) if (it.tags?.first.length > 0 && !it.hidden) found.push(it.name ?? 'none');
  return found.length === 0 ? null : found.map((name) => name + 1).filter((name) => name !== skipped);
`;

/** Runs the source with one mutant on; an error is an answer too. */
function run(source: string, on: number): string {
  const list = [
    { name: 'a', tags: { first: 'x' }, hidden: false },
    { name: 'b', tags: { first: '' }, hidden: false },
    { tags: { first: 'y' }, hidden: false },
    { name: 'd', hidden: false },
    { name: 'e', tags: { first: 'z' }, hidden: true },
  ];
  try {
    const globals = { list, skipped: 'none1', vadeMutant: (id: number) => id === on };
    return String(runInNewContext(`JSON.stringify((() => {${source}})())`, globals));
  } catch (error) {
    return String(error);
  }
}

test('With every switch off, an instrumented source does what the source does', () => {
  const mutants = new Map(mutantsOf('a.ts', SOURCE).entries());
  expect(mutants.size).toBeGreaterThan(15);
  expect(run(instrument(SOURCE, mutants), -1)).toBe('["a1"]');
});

test('A switch does exactly what the change of the text would do, for each mutant', () => {
  const mutants = new Map(mutantsOf('a.ts', SOURCE).entries());
  const instrumented = instrument(SOURCE, mutants);
  for (const [id, { change }] of mutants) {
    const mutated = SOURCE.slice(0, change.start) + change.text + SOURCE.slice(change.end);
    expect(run(instrumented, id), `${change.mutator} at ${change.start}`).toBe(run(mutated, -1));
  }
  expect(instrumented.split('\n')).toHaveLength(SOURCE.split('\n').length);
});

test('The name of a property that is taken apart is no value: a switch in its place would be no program', () => {
  const source = "const { 'a-b': it = 'none' } = list[0] ?? {}; return it;";
  const mutants = new Map(mutantsOf('a.ts', source).entries());
  expect([...mutants.values()].map((it) => it.from)).not.toContain("'a-b'");
  expect(run(instrument(source, mutants), -1)).toBe('"none"');
});
