import { expect, test } from 'vitest';
import { expandBraces } from '../../../../compiler/capabilities/shell/words/braces.ts';

test.each<[string, string[]]>([
  ['a', ['a']],
  ['', ['']],
  ['{}', ['{}']],
  ['{a}', ['{a}']],
  ['{a', ['{a']],
  ['a}', ['a}']],
  ['{a,b}', ['a', 'b']],
  ['x{a,b}y', ['xay', 'xby']],
  ['{,a}', ['', 'a']],
  ['{a,}', ['a', '']],
  ['{a,b}{c,d}', ['ac', 'ad', 'bc', 'bd']],
  ['{a,{b,c}}d', ['ad', 'bd', 'cd']],
  ['{a}{b,c}', ['{a}b', '{a}c']],
  ['{{a,b}', ['{a', '{b']],
  ['{{a,b},c}x{d,e}', ['axd', 'axe', 'bxd', 'bxe', 'cxd', 'cxe']],
  ['{1..3}', ['1', '2', '3']],
  ['{3..1}', ['3', '2', '1']],
  ['{2..2}', ['2']],
  ['{-1..1}', ['-1', '0', '1']],
  ['{a..c}', ['a', 'b', 'c']],
  ['{c..a}', ['c', 'b', 'a']],
  ['{1..c}', Array.from({ length: 99 }, (_, at) => String.fromCharCode(49 + at)).slice(0, 51)],
  ['{1.2}', ['{1.2}']],
  ['{1..2..3}', ['{1..2..3}']],
])('%s becomes %j', (text, words) => {
  expect(expandBraces(text)).toEqual(words);
});

test('a range and a list are bounded: more words are not followed', () => {
  expect(expandBraces('{1..256}')).toHaveLength(256);
  expect(expandBraces('{1..999999}')).toHaveLength(256);
  expect(expandBraces('{1..128}{a,b}')).toHaveLength(256);
  expect(expandBraces('{1..129}{a,b}')).toBeNull();
  expect(expandBraces('{a,b}'.repeat(9))).toBeNull();
  expect(expandBraces('x{1..129}{a,b}{c,d}')).toBeNull();
});

test('a text of 1024 characters is expanded, and a longer one is not', () => {
  expect(expandBraces('x'.repeat(1024))).toEqual(['x'.repeat(1024)]);
  expect(expandBraces('x'.repeat(1025))).toBeNull();
});
