import { expect, test } from 'vitest';
import { splitOptions, type Options } from '../../../compiler/capabilities/shell/options.ts';

const split = (text: string, how: Options) => {
  const { options, rest } = splitOptions(text.split(' '), how);
  return `${options.map(({ name, value }) => (value === null ? name : `${name}=${value}`)).join(' ')} | ${rest.join(' ')}`;
};

test.each<[string, Options, string]>([
  ['-a b c', {}, 'a | b c'],
  ['-a b c', { values: 'a' }, 'a=b | c'],
  ['-ab c', { values: 'a' }, 'a=b | c'],
  ['-ba c d', { values: 'a' }, 'b a=c | d'],
  ['-abc', {}, 'a b c | '],
  ['-a', { values: 'a' }, 'a | '],
  ['+a b', {}, 'a | b'],
  ['- a', {}, ' | - a'],
  ['+ a', {}, ' | + a'],
  ['-- -a', {}, ' | -a'],
  ['-a -- -b', { values: 'a' }, 'a=-- b | '],
  ['--long x', {}, 'long | x'],
  ['--long x y', { long: ['long'] }, 'long=x | y'],
  ['--long=a=b y', {}, 'long=a=b | y'],
  ['--long= y', { long: ['long'] }, 'long= | y'],
  ['--lo x y', { long: ['long'] }, 'long=x | y'],
  ['--lo=x y', { long: ['long'] }, 'long=x | y'],
  ['--on x y', { long: ['long'] }, 'on | x y'],
  ['--long x y', { long: ['long-name', 'long'] }, 'long=x | y'],
  ['--long', { long: ['long'] }, 'long | '],
  ['x -a y', {}, ' | x -a y'],
  ['x -a y', { isMixed: true }, 'a | x y'],
  ['x -a y z', { isMixed: true, values: 'a' }, 'a=y | x z'],
  ['x -- -a', { isMixed: true }, ' | x -a'],
  ['+x -a', { isMixed: true }, 'a | +x'],
  ['- -a', { isMixed: true }, 'a | -'],
])('%s (%j) is %s', (text, how, wanted) => {
  expect(split(text, how)).toBe(wanted);
});
