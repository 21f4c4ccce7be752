import { expect, test } from 'vitest';
import { echoed, printed } from '../../../../compiler/capabilities/shell/words/echo-printf.ts';
import { HOLE } from '../../../../compiler/capabilities/shell/words/field.ts';

test.each<[string[], string]>([
  [[], '\n'],
  [['a', 'b'], 'a b\n'],
  [['-n', 'a'], 'a\n'],
  [['-n'], '\n'],
  [['-e', 'a\\tb'], 'a\tb\n'],
  [['-ne', '\\x67it'], 'git\n'],
  [['-E', 'a\\x62'], 'a\\x62\nab\n'],
  [['-x', 'a'], '-x a\n'],
  [['a', '-e'], 'a -e\n'],
  [['a\\tb'], 'a\\tb\na\tb\n'],
  [['-e', 'a\\"b'], 'a\\"b\n'],
  [['-e', '\\u0067\\U00000069\\0164'], 'git\n'],
  [['-e', '\\147\\a\\b\\e\\f\\n\\r\\v'], 'g\u0007\b\u001b\f\n\rv\n'],
])('echo %j prints %j', (args, text) => {
  expect(echoed(args)).toBe(text);
});

test.each<[string[], string]>([
  [[], ''],
  [['a'], 'a'],
  [['--', 'a'], 'a'],
  [['--'], ''],
  [['%s', 'git'], 'git'],
  [['%s %s\\n', 'a', 'b', 'c'], 'a b\nc \n'],
  [['%s'], ''],
  [['a%%b%d%i', '1', '2'], 'a%b12'],
  [['%b', '\\x67it'], 'git'],
  [['%s', '\\x67it'], '\\x67it'],
  [['%x', '1'], HOLE],
  [['%5s', 'a'], HOLE],
  [['%q', 'a'], HOLE],
  [['x', 'a', 'b'], 'x'],
  [['\\x67\\u69\\U00000074'], 'git'],
  [['\\147\\0151\\164'], 'git'],
  [['\\777'], 'ÿ'],
  [['\\a\\b\\e\\f\\n\\r\\t\\v\\\\\\\'\\"\\c'], '\u0007\b\u001b\f\n\r\tv\\\'"'],
  [['\\U00110000x\\U0010ffff'], 'x\u{10ffff}'],
])('printf %j prints %j', (args, text) => {
  expect(printed(args)).toBe(text);
});

test('a format is repeated up to a bound, in linear time, and what is beyond is unknown', () => {
  const printedOf = (count: number) => printed(['%s', ...Array.from({ length: count }, () => 'ab')]);
  expect(printedOf(32_768)).toBe('ab'.repeat(32_768));
  expect(printedOf(100_000)).toBe('ab'.repeat(32_768) + HOLE);
});
