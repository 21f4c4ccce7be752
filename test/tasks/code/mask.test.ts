import { expect, test } from 'vitest';
import { languageOf } from '../../../compiler/tasks/code/languages.ts';
import { maskCode } from '../../../compiler/tasks/code/mask.ts';

function masked(path: string, source: string): string {
  const language = languageOf(path);
  if (language === null) throw new Error(`${path} is no code`);
  return maskCode(source, language);
}

test.each([
  ['a.ts', 'a // b\nc', 'a     \nc'],
  ['a.ts', 'a // b', 'a     '],
  ['a.ts', 'a /* b\nc */ d', 'a     \n     d'],
  ['a.ts', 'a /* b /* c */ d', 'a              d'],
  ['a.ts', 'a /* b', 'a     '],
  ['a.rs', 'a /* b /* c */ d */ e', 'a                   e'],
  ['a.rs', 'a /*/ b */ c', 'a          c'],
  ['a.sh', 'a # b\n# c', 'a    \n   '],
  ['a.sh', 'a;# b', 'a;   '],
  ['a.sh', '${a#b} $# "x"', '${a#b} $# "x"'],
  ['a.rb', 'a # b', 'a    '],
])('%s: a comment becomes spaces, and lines stay where they are: %j', (path, source, wanted) => {
  expect(masked(path, source)).toBe(wanted);
});

test.each([
  ['a.ts', `f("a", 'b{', c)`, 'f(___, ____, c)'],
  ['a.ts', String.raw`"a\"b" c`, '______ c'],
  ['a.ts', '"a\nb()', '__\nb()'],
  ['a.ts', "'a", '__'],
  ['a.go', '`a\n"b\\` c', '__\n____ c'],
  ['a.go', '`', '_'],
  ['a.py', '"""a\n"b" """ c', '____\n_______ c'],
  ['a.py', "'''a''' b # c", '_______ b    '],
  ['a.py', 'a = "#" # b', 'a = ___    '],
  ['a.kt', '"""a\n{""" b', '____\n____ b'],
  ['a.java', "`a` 'b'", '`a` ___'],
  ['a.sh', "'a'", "'a'"],
])('%s: a text becomes lines under it: %j', (path, source, wanted) => {
  expect(masked(path, source)).toBe(wanted);
});

test.each([
  [String.raw`'a' 'static '\n' '\u{1F600}' '\x41' b`, '___ _static ____ ___________ ______ b'],
  ['r"a" br#"b"c"# d', '____ _________ d'],
  ['r##"a"#b"## c', '___________ c'],
  ['for"a" x', 'for___ x'],
  ['r"a', '___'],
])('characters, lifetimes and raw texts of Rust are told apart: %j', (source, wanted) => {
  expect(masked('a.rs', source)).toBe(wanted);
});

test.each([
  ['`a${b}c` d', '____b___ d'],
  ['`a${{b}}c` d', '____{b}___ d'],
  ['`a${`b${c}`}d` e', '________c_____ e'],
  ['`a${b} ${c}` d', '____b____c__ d'],
  ['`a\\`b` c', '______ c'],
  ['`a\\${b}` c', '________ c'],
  ['`a$b` c', '_____ c'],
  ['`a', '__'],
])('the code in a template is code, and the rest of it a text: %j', (source, wanted) => {
  expect(masked('a.ts', source)).toBe(wanted);
});

test.each([
  ['a = /b{/ + c', 'a = ____ + c'],
  ['a / b / c', 'a / b / c'],
  ['a=/b{/', 'a=____'],
  ['a/b/c', 'a/b/c'],
  ['f() / b / c', 'f() / b / c'],
  ['(/[/]{/) d', '(______) d'],
  ['x = /[a]b/ {', 'x = ______ {'],
  ['x = /[a]/] {', 'x = _____] {'],
  ['/a/ b', '___ b'],
  ['  /a/', '  ___'],
  [String.raw`return /a\/b/ c`, 'return ______ c'],
  ['await /a/ b', 'await ___ b'],
  ['xreturn /a/ b', 'xreturn /a/ b'],
  ['=/a\n{', '=__\n{'],
])('a slash begins a pattern where a value may begin, and divides elsewhere: %j', (source, wanted) => {
  expect(masked('a.ts', source)).toBe(wanted);
});

test('other languages have no patterns', () => {
  expect(masked('a.go', 'a = /b/ c')).toBe('a = /b/ c');
});
