import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tooLong } from '../../../compiler/tasks/checks/quality-constructor-pattern.ts';

const body = (lines: number, line = '  x();\n') => line.repeat(lines);

/** A head, as many lines as fit, and the end. */
const FUNCTIONS: readonly (readonly [path: string, head: string, end: string])[] = [
  ['a.ts', 'export async function f<T>({ a, b }: { a: string; b: T }): Promise<Map<string, T>> {\n', '}\n'],
  ['a.ts', 'const f = async (a: number, { b } = {}): Promise<void> => {\n', '};\n'],
  ['a.ts', 'const f = a => {\n', '}\n'],
  ['a.js', 'const o = { go(a) {\n', '} };\n'],
  ['a.js', 'on("x", function () {\n', '});\n'],
  ['a.js', 'class A { #go(a = ")") {\n', '} }\n'],
  ['a.rs', "pub(crate) async fn f<'a, T: Into<String>>(x: &'a T, c: char) -> Option<&'a str> where T: Copy {\n", '}\n'],
  ['a.go', 'func (r *Repo) Go(a interface{}, b int) (int, error) {\n', '}\n'],
  ['A.java', 'class A { public <T> List<T> go(T a) throws IOException {\n', '} }\n'],
  ['a.cpp', 'int A::go(const std::string& a) const {\n', '}\n'],
  ['a.kt', 'fun go(a: Int): List<Int> {\n', '}\n'],
  ['a.sh', 'go() {\n', '}\n'],
  ['a.py', 'async def go(\n  a,\n  b=")",\n) -> int:\n', ''],
];

describe('quality::constructor-pattern: no file over 200 lines, no function over 30', () => {
  test.each(FUNCTIONS)('%s: the lines of %j are counted with its head and its end', (path, head, end) => {
    const own = head.trimEnd().split('\n').length + (end === '' ? 0 : 1);
    expect(tooLong(path, head + body(30 - own) + end)).toEqual([]);
    expect(tooLong(path, head + body(31 - own) + end)).toEqual([`${path}:1: a function has 31 lines`]);
  });

  test('200 lines of code are a file, 201 are too many; blank lines and comments are none', () => {
    const code = 'x();\n'.repeat(200);
    expect(tooLong('a.ts', code)).toEqual([]);
    expect(tooLong('a.ts', `/* long\n\n*/\n${code.replaceAll('\n', ' // why\n\n')}\n// end\n`)).toEqual([]);
    expect(tooLong('a.ts', `${code}x();`)).toEqual(['a.ts:1: the file has 201 lines']);
    expect(tooLong('a.ts', `${code}'// no comment';`)).toEqual(['a.ts:1: the file has 201 lines']);
  });

  test('what is no code is not counted', () => {
    for (const path of ['a.md', 'package-lock.json', 'Makefile', 'a.constructor']) {
      expect(tooLong(path, 'x\n'.repeat(999))).toEqual([]);
    }
  });

  test.each([
    ['a class', 'a.ts', `class A {\n${'  f() {\n    x();\n  }\n'.repeat(20)}}\n`],
    ['an object', 'a.ts', `const o = {\n${'  a: 1,\n'.repeat(60)}};\n`],
    [
      'branches at the top',
      'a.js',
      `if (a) {\n${body(60)}} else {\n${body(60)}}\nfor (const a of b) {\n${body(40)}}\n`,
    ],
    ['a table after an arrow', 'a.ts', `const f = () => 1;\nconst t = [\n${"  '{',\n".repeat(60)}];\n`],
    ['braces in texts', 'a.ts', `f("{", '{', \`{ \${g({})} {\`, /[/{]{/);\n${body(60)}`],
    [
      'braces in comments',
      'a.rs',
      `/* { /* { */ } */ // {\nfn f() { let c = '{'; let s = r#"{"#; }\n${'struct A;\n'.repeat(60)}`,
    ],
    ['a match', 'a.rs', `static X: u8 = match a {\n${'  1 => { y() }\n'.repeat(60)}};\n`],
    ['a class of Python', 'a.py', `class A:\n  """\n  def x():\n  """\n${'  def f(self):\n    return 1\n'.repeat(40)}`],
    ['a type', 'a.go', `type A struct {\n${'  b int\n'.repeat(60)}}\n`],
  ])('%s is no function', (_, path, source) => {
    expect(tooLong(path, source)).toEqual([]);
  });

  test('a function in a function is counted for itself, and both are told', () => {
    const inner = `  const g = () => {\n${body(32)}  };\n`;
    expect(tooLong('a.ts', `function f() {\n${inner}}\n`)).toEqual([
      'a.ts:1: a function has 36 lines',
      'a.ts:2: a function has 34 lines',
    ]);
  });

  test('this repository keeps its own files by the same count as the linter, but for those that the linter exempts', () => {
    const files = readdirSync('compiler/tasks', { recursive: true, encoding: 'utf8' }).filter((it) =>
      it.endsWith('.ts'),
    );
    const long = files.flatMap((it) => tooLong(it, readFileSync(join('compiler/tasks', it), 'utf8')));
    expect(files.length).toBeGreaterThan(10);
    expect(long.filter((it) => !it.includes('function'))).toEqual([]);
  });

  test.each([
    ['opening braces', '{'.repeat(200_000)],
    ['opening lists', 'f('.repeat(100_000)],
    ['both', 'f(){'.repeat(60_000)],
    ['templates', '`${'.repeat(80_000)],
    ['patterns', '=/['.repeat(80_000)],
    ['lists before braces', `${'('.repeat(1900)}${') {'.repeat(60_000)}`],
  ])('hostile code is read in bounded time: %s', (_, source) => {
    expect(Array.isArray(tooLong('a.ts', source))).toBe(true);
  });

  test('code beyond what is read is too large', () => {
    expect(tooLong('a.ts', ' '.repeat(2 ** 21))).toEqual(['a.ts:1: the file is too large to be counted']);
    expect(tooLong('a.ts', null)).toEqual(['a.ts:1: the file is too large to be counted']);
  });
});
