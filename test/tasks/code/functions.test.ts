import { expect, test } from 'vitest';
import { functionsIn } from '../../../compiler/tasks/code/functions.ts';
import { languageOf } from '../../../compiler/tasks/code/languages.ts';

/** The first and the last line of every function. */
function linesOf(path: string, source: string): string[] {
  const language = languageOf(path);
  if (language === null) throw new Error(`${path} is no code`);
  return functionsIn(source, language).map(({ from, to }) => `${from}-${to}`);
}

test.each([
  ['a.ts', 'f(a) {\n}\n', ['1-2']],
  ['a.ts', '\nfunction f(\n  a,\n): A {\n}\n', ['2-5']],
  ['a.ts', 'const f = (a, (b)) => {\n};\nconst g = c => {\n}', ['1-2', '3-4']],
  ['a.ts', 'f() { g() {\n} }', ['1-2', '1-2']],
  ['a.ts', 'f() {\n  a(() => {\n  });\n}', ['1-4', '2-3']],
  ['a.ts', 'f<T>(a) {\n}', ['1-2']],
  ['a.ts', 'A f(a) throws B, C {\n}', ['1-2']],
  ['a.ts', '}\nf() {\n}', ['2-3']],
  ['a.ts', 'f() {\n', []],
  ['a.ts', 'a = {\n};\nclass A {\n}', []],
  ['a.ts', ') {\n}', []],
  ['a.ts', '(a) {\n}', []],
  ['a.rs', 'a();\n\nfn f() -> A {\n}', ['3-4']],
  ['a.rs', 'match a {\n}', []],
  ['a.sh', 'a\nf() {\n}\nfunction g {\n}', ['2-3', '4-5']],
  ['a.py', 'def f():\n  a\n\nb', ['1-2']],
  ['a.py', 'async def f(\na,\n):\n  def g():\n    b\n  c\n\n\nd', ['1-6', '4-5']],
  ['a.py', 'class A:\n  def f():\n    a\n  def g():\n    b', ['2-3', '4-5']],
  ['a.py', 'def f(): a\n)\ndef g(): b', ['1-1', '3-3']],
  ['a.ts', 'f(a);\ng(\n  b => {\n})', ['3-4']],
  ['a.ts', 'f(a);\nconst o = { b: c => {\n} }', ['2-3']],
  ['a.ts', 'f(a);\nreturn async b => {\n}', ['2-3']],
  ['a.ts', 'const f = (\n  a,\n): A | B => {\n}', ['1-4']],
  ['a.ts', 'const f = (\n  a,\n) : A => {\n}', ['1-4']],
  ['a.ts', 'const f = (\n  a,\n): Map<A, B> => {\n}', ['1-4']],
])('%s: each function of %j has its first and its last line', (path, source, wanted) => {
  expect(linesOf(path, source)).toEqual(wanted);
});

test.each(['if', 'for', 'while', 'switch', 'catch', 'with', 'await', 'synchronized', 'using', 'lock', 'fixed'])(
  'the block behind %s is no function',
  (word) => {
    expect(linesOf('a.ts', `${word} (a) {\n}`)).toEqual([]);
    expect(linesOf('a.ts', `${word}s (a) {\n}`)).toEqual(['1-2']);
  },
);

test.each(['rb', 'pl', 'ex', 'exs', 'jl', 'r'])(
  'functions of a language without braces or indents are not told: .%s',
  (end) => {
    expect(linesOf(`a.${end}`, 'def f(a) {\n  def g():\n}\n')).toEqual([]);
  },
);

test.each([
  ['braces', 'ts tsx mts cts js jsx mjs cjs rs go c h cc cpp cxx hh hpp java cs kt kts swift scala php sh bash zsh'],
  ['indent', 'py pyi'],
])('a file is code by its ending, in any case of letters, and its functions are told by %s', (family, ends) => {
  for (const it of ends.split(' ')) {
    expect(languageOf(`a/b.${it}`)?.family).toBe(family);
    expect(languageOf(`B.${it.toUpperCase()}`)?.family).toBe(family);
  }
});

test('other files are no code', () => {
  expect(['a', 'a.md', 'ts', 'a.ts.txt', 'a.constructor', 'a.'].map(languageOf)).toEqual(Array(6).fill(null));
});
