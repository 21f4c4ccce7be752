import { expect, test } from 'vitest';
import { matchesPath } from '../../../compiler/capabilities/paths/patterns.ts';

test.each<[string, string, boolean]>([
  ['lib/x', 'lib/**', true],
  ['lib', 'lib/**', true],
  ['lib/.hidden/x', 'lib/**', true],
  ['library/x', 'lib/**', false],
  ['a/lib/x', 'lib/**', false],
  ['a/lib/x', '**/lib/**', true],
  ['lib/x', '!lib/**', false],
  ['lib/a\nb', 'lib/**', true],
  ['lib/a\u2028b', 'lib/*', true],
  ['lib/a\rb/c', '**', true],
  [`lib/${'x'.repeat(4092)}`, 'lib/**', true],
  [`lib/${'x'.repeat(4093)}`, 'lib/**', false],
])('%j matches %s: %s', (path, pattern, matches) => {
  expect(matchesPath(path, [pattern])).toBe(matches);
  expect(matchesPath(path, ['none', pattern])).toBe(matches);
});
