import { describe, expect, test } from 'vitest';
import { figuresOf, toTable } from './figures.ts';
import { countLines, parseSource } from './source-file.ts';

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

  test.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\n\n', 2],
  ])('the lines of %j are %i', (text, lines) => {
    expect(countLines(text)).toBe(lines);
  });
});

describe('the figures of a tree', () => {
  const figures = figuresOf(
    new Map([
      ['README.md', 'one\ntwo\n'],
      ['compiler/a/one.ts', "import { both } from '../b/two.ts';\nexport interface Rank {}\nfunction f() {}\n"],
      ['compiler/b/two.ts', 'export type Rank = 1;\nexport function both() {}\n'],
      ['server/three.ts', "import { both } from '../compiler/b/two.ts';\ninterface Rank {}\n"],
      ['test/a/one.test.ts', 'interface Rank {}\n'],
      ['test/bench/one.bench.ts', 'start();\n'],
    ]),
  );

  test('count names that several files of the sources declare', () => {
    expect(figures.get('exported names with several meanings')).toBe('1; 2 (Rank)');
    expect(figures.get('types of one name in several files')).toBe('1; 3 (Rank)');
    expect(figures.get('functions of one name in several files')).toBe('0');
  });

  test('count files and functions: the median, what nine of ten do not exceed, and the largest', () => {
    expect(figures.get('lines a file: median, p90, largest')).toBe('2, 3, 3');
    expect(figures.get('lines a function: median, p90, largest')).toBe('1, 1, 1');
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
