import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sourcesIn } from '../../support/architecture.ts';
import { largest, quantile } from './distribution.ts';
import { figuresOf, toTable } from './figures.ts';
import { countLines, parseSource } from './source-file.ts';
import { filesOf, WALKS } from './walks.ts';

const SOURCE = `import type { Kind } from '../schema/kind.ts';
import { once } from 'node:events';
export interface Row { readonly kind: Kind }
export const Order = 1;
const start = () => {
  return new Worker(new URL('./thread.js', import.meta.url));
};
export async function write(rows: Row[]): Promise<void> {
  await import('./disk.ts');
  rows.forEach((row) => {
    start();
  });
}
class Writer {
  end(): void {
    start();
  }
}
`;

describe('what is counted in a file', () => {
  const file = parseSource('server/audit/writer.ts', SOURCE);

  test('functions with a name and a block, without callbacks', () => {
    expect([...file.functions].sort()).toEqual([3, 3, 6]);
  });

  test('types and functions at its top, and which of them are exported', () => {
    expect(file.declared).toEqual([
      { name: 'Row', kind: 'type', isExported: true },
      { name: 'start', kind: 'function', isExported: false },
      { name: 'write', kind: 'function', isExported: true },
      { name: 'Writer', kind: 'type', isExported: false },
    ]);
  });

  test('imports of types, at run time and of threads, and no packages', () => {
    const expected = ['server/schema/kind.ts', 'server/audit/disk.ts', 'server/audit/thread.ts'];
    expect(file.imports).toEqual(expected);
  });

  test.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\n\n', 2],
  ])('the lines of %j are %i', (text, lines) => {
    expect(countLines(text)).toBe(lines);
  });
});

describe('distributions', () => {
  test('a quantile is one of the values, whatever their order', () => {
    expect(quantile([10, 9, 1], 0.5)).toBe(9);
    expect(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9)).toBe(9);
    expect(quantile([3], 1)).toBe(3);
    expect(quantile([], 0.5)).toBe(0);
  });

  test('the largest come first, equal ones by name', () => {
    const counts = new Map([
      ['b', 1],
      ['c', 2],
      ['a', 1],
    ]);
    expect(largest(counts, 2)).toEqual([
      ['c', 2],
      ['a', 1],
    ]);
  });
});

describe('a walk', () => {
  const files = [
    parseSource('a.ts', "import './b.ts';\nimport './d.ts';\nexport function first() {}\n"),
    parseSource('b.ts', "import './c.ts';\n"),
    parseSource('c.ts', 'export function second() {}\n'),
    parseSource('d.ts', 'export function third() {}\nfunction hidden() {}\n'),
  ];

  test('opens every file between two functions once, and goes on from any that is open', () => {
    const walk = { name: '', functions: ['first', 'second', 'third'] };
    expect(filesOf(walk, files)).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts']);
  });

  test.each([['absent'], ['hidden']])('ends at a function that is %s', (name) => {
    expect(filesOf({ name: '', functions: ['first', name] }, files)).toBeNull();
  });

  test('finds its functions in the sources of today', () => {
    const sources = ['compiler', 'server'].flatMap(sourcesIn);
    const parsed = sources.map((path) => parseSource(path, readFileSync(path, 'utf8')));
    expect(WALKS.filter((walk) => filesOf(walk, parsed) === null)).toEqual([]);
  });

  test('does not go against the imports', () => {
    expect(filesOf({ name: '', functions: ['second', 'first'] }, files)).toBeNull();
  });
});

describe('the figures of a tree', () => {
  const figures = figuresOf(
    new Map([
      ['README.md', 'one\ntwo\n'],
      ['compiler/a/one.ts', "import { both } from '../b/two.ts';\nexport interface Asked {}\nfunction f() {}\n"],
      ['compiler/b/two.ts', 'export type Asked = 1;\nexport function both() {}\n'],
      ['server/three.ts', "import { both } from '../compiler/b/two.ts';\ninterface Asked {}\n"],
      ['test/a/one.test.ts', 'interface Asked {}\n'],
      ['test/bench/one.bench.ts', 'start();\n'],
    ]),
  );

  test('count names that several files of the sources declare', () => {
    expect(figures.get('exported names with several meanings')).toBe('1; 2 (Asked)');
    expect(figures.get('types of one name in several files')).toBe('1; 3 (Asked)');
    expect(figures.get('functions of one name in several files')).toBe('0');
  });

  test('count who imports a file, and whom it imports', () => {
    expect(figures.get('fan-in: p90, largest')).toBe('2; 2 (two.ts)');
    expect(figures.get('files with one importer')).toBe('0');
  });

  test('count lines by folder, tests beside the sources', () => {
    expect(figures.get('source files')).toBe('3');
    expect(figures.get('lines of README.md')).toBe('2');
    expect(figures.get('lines in compiler/')).toBe('5');
    expect(figures.get('lines in test/')).toBe('2');
  });

  test('count lines by room, with the tests that mirror it', () => {
    expect(figures.get('lines in compiler/a/: source, tests')).toBe('3, 1');
    expect(figures.get('lines in compiler/b/: source, tests')).toBe('2, 0');
    expect(figures.get('lines in test/bench/: source, tests')).toBe('0, 1');
  });

  test('say where a walk finds nothing', () => {
    expect(figures.get('files opened: row to disk')).toBe('not found');
  });

  test('stand side by side, a column each', () => {
    const table = toTable(
      new Map([
        ['before', new Map([['x', '1']])],
        ['after', new Map([['y', '2']])],
      ]),
    );
    expect(table).toBe('| figure | before | after |\n| --- | --- | --- |\n| x | 1 |  |\n| y |  | 2 |');
  });
});
