import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { globMaker, isMeant } from '../../../compiler/recall/files/path-glob.ts';
import { readPattern } from '../../../compiler/schema/source/file-pattern.ts';

function meant(pattern: string, path: string): boolean {
  const read = readPattern(pattern);
  if ('rule' in read) throw new TypeError(`${pattern} ${read.message}`);
  const steps = { left: Infinity };
  return read.some((it) => isMeant(globMaker()(it), path.split('/'), steps));
}

/** It takes `a/**` for `a` too, but not `a*\/**`: what is in a folder is not the folder. */
const byLibrary = (pattern: string, path: string) =>
  picomatch.isMatch(path, pattern.replace(/\/\*\*$/, '/**/*'), { dot: true });

const name = fc
  .string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 4 })
  .filter((it) => !/^\.+$/.test(it));
const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((it) => it.join('/'));
const glob = fc.string({
  unit: fc.constantFrom('a', 'b', '.', '*', '?', '{a,b*}', '{,b}'),
  minLength: 1,
  maxLength: 5,
});
const pattern = fc
  .array(fc.oneof({ weight: 2, arbitrary: glob }, { weight: 1, arbitrary: fc.constant('**') }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((it) => it.join('/'))
  .filter((it) => !('rule' in readPattern(it)));

describe('which paths a pattern means', () => {
  test.each([
    ['src/**/*.tsx', 'src/app.tsx', true],
    ['src/**/*.tsx', 'src/forms/field/input.tsx', true],
    ['src/**/*.tsx', 'test/src/app.tsx', false],
    ['src/**/*.tsx', 'src/app.tsx.bak', false],
    ['*.md', 'README.md', true],
    ['*.md', 'docs/README.md', false],
    ['**/*.md', 'README.md', true],
    ['docs/**', 'docs/a/b', true],
    ['docs/**', 'docs2/a', false],
    ['docs/**', 'docs', false],
    ['**/test/**/*.{ts,js}', 'a/test/b/c.js', true],
    ['**/a/b/**/c', 'a/a/b/c', true],
    ['**/*_test_*_a', 'x/a_test_b_test_a', true],
    ['**/*_test_*_a', 'x/a_test_a', false],
    ['Src/**', 'src/a', false],
    ['.github/*', '.github/.hidden', true],
    ['a?c/**', 'abc/x', true],
    ['a?c/**', 'ac/x', false],
  ])('%s and %s: %s', (pattern, path, is) => {
    expect(meant(pattern, path)).toBe(is);
  });

  test('a library of patterns agrees', () => {
    fc.assert(
      fc.property(pattern, path, (pattern, path) => {
        expect(meant(pattern, path)).toBe(byLibrary(pattern, path));
      }),
      { numRuns: 1500 },
    );
  });

  test('a library agrees about the paths that patterns are made for', () => {
    const near = fc
      .tuple(path, fc.array(fc.tuple(fc.nat(20), fc.constantFrom('*', '?', '**')), { maxLength: 4 }))
      .map(([path, marks]) => {
        const names = path.split('/');
        for (const [at, mark] of marks) {
          const i = at % names.length;
          const name = names[i] ?? '';
          names[i] = mark === '**' ? mark : name.slice(0, at % name.length) + mark + name.slice((at % name.length) + 1);
        }
        return [names.join('/'), path] as const;
      });
    let agreed = 0;
    fc.assert(
      fc.property(near, ([pattern, path]) => {
        fc.pre(!('rule' in readPattern(pattern)));
        const is = meant(pattern, path);
        if (is) agreed++;
        expect(is).toBe(byLibrary(pattern, path));
      }),
      { numRuns: 1200 },
    );
    expect(agreed).toBeGreaterThan(100);
  });
});

function stepsOf(pattern: string, path: string): number {
  const read = readPattern(pattern);
  if ('rule' in read) throw new TypeError(`${pattern} ${read.message}`);
  const steps = { left: 0 };
  for (const it of read) isMeant(globMaker()(it), path.split('/'), steps);
  return -steps.left;
}

/** Sixteen for each name and one for each character, of each of the four names that may stand between two `**`. */
const MOST_FOR_A_CHARACTER = 4 * 17;

describe('the cost of a comparison', () => {
  const HOSTILE: readonly (readonly [pattern: (size: number) => string, path: (size: number) => string])[] = [
    [(n) => `${'*a'.repeat(n / 2 - 1)}*b`, (n) => 'a'.repeat(n)],
    [(n) => `**/${'*a'.repeat(n / 2 - 6)}*b/**/c`, (n) => 'a/'.repeat(n / 2 - 1) + 'c'],
    [(n) => `**/${'a*'.repeat(n / 8)}/a/a/b/**/c`, (n) => `${'a'.repeat(n / 4)}/a/a/`.repeat(4) + 'c'],
    [(n) => `**/${'a/**/'.repeat(n / 5 - 2)}b`, (n) => 'a/'.repeat(n / 2 - 1) + 'c'],
    [(n) => `**/${'a/a/a/b/**/'.repeat(n / 11 - 2)}b`, (n) => 'a/'.repeat(n / 2 - 1) + 'b'],
    [(n) => `${'a/'.repeat(n / 2 - 1)}*b`, (n) => 'a/'.repeat(n / 2 - 1) + 'a'],
    [(n) => `${'?'.repeat(n - 2)}*b`, (n) => 'a'.repeat(n)],
    [(n) => `**/${'a'.repeat(n / 2)}*/**/b`, (n) => `${'a'.repeat(n / 2 - 2)}/`.repeat(2) + 'b'],
  ];

  test.each(HOSTILE.map(([pattern, path]) => [pattern(40), pattern, path] as const))(
    'a hostile pattern costs no more than a multiple of both lengths: %s',
    (_, pattern, path) => {
      for (const [size, length] of [
        [40, 100],
        [80, 200],
        [200, 500],
        [200, 100],
        [40, 500],
      ] as const) {
        const [tried, of] = [pattern(size), path(length)];
        expect(tried.length).toBeLessThanOrEqual(200);
        expect(stepsOf(tried, of)).toBeLessThanOrEqual(MOST_FOR_A_CHARACTER * (tried.length + of.length));
      }
    },
  );

  test.each([
    ['a name that is too short costs sixteen steps', 'abc', 'x', 16],
    ['a name costs a step more for each character', 'abc', 'abd', 19],
    ['every compared name is counted', '*/b', 'a/b', 34],
  ])('%s', (_, pattern, path, steps) => {
    expect(stepsOf(pattern, path)).toBe(steps);
  });

  test('any pattern costs no more than that, which a search for the worst confirms', () => {
    const wide = fc
      .string({ unit: fc.constantFrom('a', 'a', 'b', '*', '/', '/**/', '?'), maxLength: 60 })
      .filter((it) => !('rule' in readPattern(it)));
    const long = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b', '/'), maxLength: 120 });
    fc.assert(
      fc.property(wide, long, (pattern, path) => {
        expect(stepsOf(pattern, path)).toBeLessThanOrEqual(MOST_FOR_A_CHARACTER * (pattern.length + path.length));
      }),
      { numRuns: 300 },
    );
  });
});
