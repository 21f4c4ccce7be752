import { describe, expect, test } from 'vitest';
import { readPattern } from '../../../compiler/schema/source/file-pattern.ts';
import type { TreeFile } from '../../../compiler/schema/source/sources.ts';
import { Delivery } from '../../../compiler/schema/source/unit.ts';
import { parseDelivery } from '../../../compiler/sources/unit.ts';

const file: TreeFile = { path: 'instructions/agents/cto/forms.md', mode: '100644', blob: 'b', size: 100 };

/** The diagnostics of a unit with these lines in its front matter. */
const faultsOf = (...lines: string[]) =>
  parseDelivery(file, Buffer.from(['---', 'description: Forms', ...lines, '---', 'Text.', ''].join('\n'))).faults;

const ruleOf = (pattern: string): string => {
  const read = readPattern(pattern);
  return 'rule' in read ? read.rule : 'read';
};

describe('the files that a unit is about', () => {
  test('a unit without files has the same delivery as ever', () => {
    expect(Delivery.parse({ description: 'x' })).not.toHaveProperty('files');
  });

  test('a pattern with braces stands for one pattern for each choice', () => {
    expect(readPattern('{src,test}/**/*.{ts,tsx}')).toEqual(
      ['src', 'test'].flatMap((it) => ['*.ts', '*.tsx'].map((end) => [it, '**', end])),
    );
  });

  test.each(['*', '**', '**/*', '*/*', '**/*.*', '?', '*/?/**', '**/*a*', '{src,*}', '*.{ts,*}', '-/**'])(
    'a pattern without a name and without an ending is refused: %s',
    (pattern) => {
      expect(ruleOf(pattern)).toBe('files_pattern_broad');
    },
  );

  test.each(['src/**', '**/*.tsx', 'Dockerfile', '**/use*', '*.md', 'docs/**/*', '.github/**', '**/größe/*', 'a?/**'])(
    'a pattern with a name or an ending is read: %s',
    (pattern) => {
      expect(ruleOf(pattern)).toBe('read');
    },
  );

  test.each([
    ...['/src/**', 'src/', './src/**', '../src/**', 'src//a', 'src/../a', 'src\\a'],
    ...['!src/**', 'app/[id]/**', 'app/(admin)/**', '@(a|b)/c', '**.ts', 'src/**.ts', 'src/a**/b'],
    ...['{a,{b,c}}/d', '{a/b', 'a}/b', 'a,b', 'a*?b*/c', '**/**/a', '**/a/b/c/d/e/**/f', '{a,b}'.repeat(40)],
  ])('a pattern that hosts read differently, or that costs more than it says, is refused: %s', (pattern) => {
    expect(ruleOf(pattern)).toBe('files_pattern_invalid');
  });

  test('a refused pattern is told with its place in the front matter', () => {
    const faults = faultsOf('files:', '  - src/**', '  - "**/*"', '  - "!docs/**"');
    expect(faults.map(({ rule, line, column }) => [rule, line, column])).toEqual([
      ['files_pattern_broad', 5, 5],
      ['files_pattern_invalid', 6, 5],
    ]);
  });

  test('a unit has at most 16 patterns of 200 characters, and one at least', () => {
    const many = (count: number, name: (i: number) => string) =>
      `files: [${Array.from({ length: count }, (_, i) => name(i)).join(', ')}]`;
    expect(faultsOf(many(16, (i) => `src/${i}`))).toEqual([]);
    expect(faultsOf(many(17, (i) => `src/${i}`))[0]).toMatchObject({ rule: 'value_invalid', line: 3 });
    expect(faultsOf(many(1, () => 'a'.repeat(200)))).toEqual([]);
    expect(faultsOf(many(1, () => 'a'.repeat(201)))[0]).toMatchObject({ rule: 'value_invalid', line: 3 });
    expect(faultsOf('files: []')[0]).toMatchObject({ rule: 'value_invalid', line: 3 });
    expect(faultsOf('files: src/**')[0]).toMatchObject({ rule: 'value_invalid', line: 3 });
  });

  test('all patterns of a unit stand for at most 32 without braces', () => {
    const of = (count: number) =>
      `files: [${Array.from({ length: count }, (_, i) => `"src/${i}/*.{a,b,c,d}"`).join(', ')}]`;
    expect(faultsOf(of(8))).toEqual([]);
    expect(faultsOf(of(9))).toMatchObject([{ rule: 'files_pattern_invalid', line: 3 }]);
  });
});
