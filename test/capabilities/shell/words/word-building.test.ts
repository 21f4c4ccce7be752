import { expect, test } from 'vitest';
import { isKnown, knownStart, programName } from '../../../../compiler/capabilities/shell/words/field.ts';
import { build, combine, type Piece } from '../../../../compiler/capabilities/shell/words/word-building.ts';

const text = (it: string): Piece => ({ kind: 'text', text: it });
const split = (it: string): Piece => ({ kind: 'split', text: it });
const words = (...all: string[]): Piece => ({ kind: 'words', words: all });

test.each<[Piece[], string[]]>([
  [[], []],
  [[text('')], ['']],
  [[split('')], []],
  [[split(' ')], []],
  [[text('a'), text('b')], ['ab']],
  [[split('a b')], ['a', 'b']],
  [[split(' a\t\nb ')], ['a', 'b']],
  [
    [text('x'), split('a b'), text('y')],
    ['xa', 'by'],
  ],
  [
    [text('x'), split(' a')],
    ['x', 'a'],
  ],
  [
    [split('a '), text('y')],
    ['a', 'y'],
  ],
  [[words()], []],
  [
    [text('x'), words('a', 'b'), text('y')],
    ['xa', 'by'],
  ],
  [[words('a', '', 'b')], ['a', '', 'b']],
])('%j builds %j', (pieces, wanted) => {
  expect(build(pieces)).toEqual(wanted);
});

test('alternatives are combined, up to sixteen', () => {
  const two = ['a', 'b'];
  expect(combine([])).toEqual([[]]);
  expect(combine([['a'], two])).toEqual([
    ['a', 'a'],
    ['a', 'b'],
  ]);
  expect(combine([two, ['c'], two])).toEqual([
    ['a', 'c', 'a'],
    ['a', 'c', 'b'],
    ['b', 'c', 'a'],
    ['b', 'c', 'b'],
  ]);
  expect(combine([two, two, two, two])).toHaveLength(16);
  expect(combine([two, two, two, two, ['c']])).toHaveLength(16);
  expect(combine([two, two, two, two, two])).toBeNull();
  expect(combine([Array.from({ length: 17 }, () => 'a')])).toBeNull();
  expect(combine([two, []])).toEqual([]);
});

test.each<[string, boolean, string, string | null]>([
  ['git', true, 'git', 'git'],
  ['/usr/bin/git', true, '/usr/bin/git', 'git'],
  ['a/', true, 'a/', ''],
  ['\uE000', false, '', null],
  ['g\uE001t', false, 'g', null],
  ['\uE003/git', false, '', 'git'],
  ['/\uE001/git', false, '/', 'git'],
  ['\uE000/git', false, '', null],
  ['/\uE002/git', false, '/', null],
  ['/bin/\uE003', false, '/bin/', null],
  ['/\uE003/', false, '/', null],
])('%j is known: %s, from its start %j, and runs %s', (field, known, start, name) => {
  expect([isKnown(field), knownStart(field), programName(field)]).toEqual([known, start, name]);
});
