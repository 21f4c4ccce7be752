import { describe, expect, test } from 'vitest';
import { matchesAnyCase, matchesPath, mayHold } from '../../../compiler/capabilities/paths/patterns.ts';
import { filesDenylist } from '../../../compiler/tasks/checks/scope-files-denylist.ts';
import { gateOn } from '../../support/gate.ts';

test.each<[string, string, boolean]>([
  ['lib/x', 'lib/**', true],
  ['lib', 'lib/**', true],
  ['lib/.hidden/x', 'lib/**', true],
  ['library/x', 'lib/**', false],
  ['a/lib/x', 'lib/**', false],
  ['a/lib/x', '**/lib/**', true],
  ['a/b/c/lib/x', '**/lib/**', true],
  ['lib/x', '**/lib/**', true],
  ['lib/a\nb', 'lib/**', true],
  ['lib/a\u2028b', 'lib/*', true],
  ['lib/a\rb/c', '**', true],
  [`lib/${'x'.repeat(4092)}`, 'lib/**', true],
  [`lib/${'x'.repeat(4093)}`, 'lib/**', false],
  ['a/x/b/y/b/c.ts', 'a/**/b/*.ts', true],
  ['a/x/b/y/c.ts', 'a/**/b/*.ts', false],
  ['a/b', 'a/**/b', true],
  ['src/a.test.ts', 'src/*.test.ts', true],
  ['src/a/b.test.ts', 'src/*.test.ts', false],
  ['src/a.ts', 'src/?.ts', true],
  ['src/ab.ts', 'src/?.ts', false],
  ['src/a.ts', 'src/*.{ts,tsx}', true],
  ['src/a.tsx', 'src/*.{ts,tsx}', true],
  ['src/a.js', 'src/*.{ts,tsx}', false],
  ['b/c/x', '{a,b/{c,d}}/x', true],
  ['b/d/x', '{a,b/{c,d}}/x', true],
  ['b/x', '{a,b/{c,d}}/x', false],
  ['a{b}c', 'a{b}c', true],
  ['a{b,c', 'a{b,c', true],
  ['v1.ts', 'v[0-9].ts', true],
  ['vx.ts', 'v[!0-9].ts', true],
  ['v1.ts', 'v[^0-9].ts', false],
  ['v].ts', 'v[]].ts', true],
  ['a[b', 'a[b', true],
  ['a\\b', 'a\\b', true],
])('%j matches %s: %s', (path, pattern, matches) => {
  expect(matchesPath(path, [pattern])).toBe(matches);
  expect(matchesPath(path, ['none', pattern])).toBe(matches);
});

test.each<[string, string]>([
  ['.github', '.github/workflows/ci.yml'],
  ['.github/', '.github/workflows/ci.yml'],
  ['./secrets', 'secrets/a.pem'],
  ['sec*/', 'secrets/a.pem'],
  ['{a,b}', 'b/x'],
  ['src/app/(admin)/**', 'src/app/(admin)/page.tsx'],
  ['src/app/(.)photo', 'src/app/(.)photo/page.tsx'],
  ['src/app/[id]', 'src/app/[id]/page.tsx'],
  ['src/app/[[...slug]]/**', 'src/app/[[...slug]]/page.tsx'],
  ['src/@(x)/+y', 'src/@(x)/+y'],
  ['.', 'any/file'],
])('an entry %s means %s, as its author does', (entry, file) => {
  expect(matchesPath(file, [entry])).toBe(true);
});

test.each<[string, string]>([
  ['src/app/(admin)/**', 'src/app/admin/page.tsx'],
  ['src/*', 'src/a/b'],
  ['*.md', 'docs.md/x'],
  ['lib', 'library/x'],
])('an entry %s does not mean %s', (entry, file) => {
  expect(matchesPath(file, [entry])).toBe(false);
});

test.each(['', ' ', '!src/**', '/src/**', '../x', 'src/../x', 'a/{b,..}/c', '{a,b}'.repeat(7), 'x'.repeat(513)])(
  'an entry %j can match no path, so a gate that was given it denies',
  (entry) => {
    expect(() => matchesPath('src/x', [entry])).toThrow(TypeError);
    const gate = gateOn(() => ({ parameters: { 'files-whitelist': ['**'], 'files-denylist': [entry] } }));
    expect(gate.bash('echo x > src/x').answer.exit).toBe(2);
  },
);

describe('what costs time elsewhere is matched at once', () => {
  test.each<[string, string]>([
    ['*a*a*a*a*a*ab', 'a'.repeat(4000)],
    [`${'**/a/'.repeat(60)}b`, 'a/'.repeat(2000)],
    [`${'*'.repeat(500)}b`, 'a'.repeat(4000)],
    [`${'?*'.repeat(250)}b`, 'a'.repeat(4000)],
    ['{'.repeat(500), 'a'],
  ])('%s', (pattern, path) => {
    expect(matchesPath(path, [pattern])).toBe(false);
  });
});

test('letters of another case are the same file to a list that denies, and another one to a list that allows', () => {
  expect(['CARGO.TOML', 'a/Cargo.Toml', 'Cargo.toml'].map((it) => matchesAnyCase(it, ['**/cargo.toml']))).toEqual([
    true,
    true,
    true,
  ]);
  expect(matchesAnyCase('cafe\u0301/x', ['CAF\u00c9'])).toBe(true);
  expect(matchesPath('SRC/x', ['src/**'])).toBe(false);
});

test('a folder holds what an entry may mean below it', () => {
  const holds = (folder: string, entry: string) => mayHold(folder, [entry]);
  expect([
    holds('', 'a/b'),
    holds('a', 'a/b'),
    holds('A', 'a/*/c'),
    holds('x/y', '**/c'),
    holds('x/y', 'x/y/z/**'),
  ]).toEqual([true, true, true, true, true]);
  expect([holds('b', 'a/b'), holds('a/c', 'a/b/c'), holds('x/y', 'x')]).toEqual([false, false, false]);
});

test.each([
  ['.github', '.github/workflows/ci.yml'],
  ['.github/', '.github/workflows/ci.yml'],
  ['secrets/', 'secrets/a.pem'],
  ['src/app/(admin)/**', 'src/app/(admin)/page.tsx'],
  ['src/app/[[...slug]]/**', 'src/app/[[...slug]]/page.tsx'],
  ['Cargo.toml', 'CARGO.TOML'],
])('an entry %s of files-denylist holds for tools, the shell and the check: %s', (entry, file) => {
  const parameters = { 'files-whitelist': ['**'], 'files-denylist': [entry] };
  const gate = gateOn(() => ({ parameters }));
  expect(gate.ask('Write', { file_path: `${gate.worktree}/${file}`, content: 'x' }).answer.exit).toBe(2);
  expect(gate.bash(`echo x > '${file}'`).answer.exit).toBe(2);
  expect(gate.bash('rm -rf .').answer.exit).toBe(2);
  const work = { changes: [{ path: file }] } as unknown as Parameters<typeof filesDenylist>[0];
  const check = { parameters: ['files-denylist'] } as unknown as Parameters<typeof filesDenylist>[1];
  expect(filesDenylist(work, check, parameters)).toMatchObject({ result: 'fail' });
});
