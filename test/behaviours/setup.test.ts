import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clone, installed, setup } from '../support/stub-clone.ts';

interface Listed {
  readonly packages: Record<string, { version?: string }>;
}

test.each([
  ['a package has another version', ({ packages: { 'node_modules/zod': zod } }: Listed) => zod && (zod.version = '1')],
  ['a package is missing', ({ packages }: Listed) => delete packages['node_modules/zod']],
])('everything is installed again if %s', (_, change) => {
  const { root, lock } = installed();
  const listed = JSON.parse(readFileSync(lock, 'utf8')) as Listed;
  change(listed);
  writeFileSync(lock, JSON.stringify(listed));
  expect(setup(root)).toEqual(['npm ci']);
});

test.each(['', '{', '{}', 'null', '[]'])('everything is installed again if npm’s list of packages is “%s”', (text) => {
  const { root, lock } = installed();
  writeFileSync(lock, text);
  expect(setup(root)).toEqual(['npm ci']);
});

test('a package that npm could not compile and left out is not asked for again', () => {
  const { root, lock, database } = installed();
  const listed = JSON.parse(readFileSync(lock, 'utf8')) as Listed;
  delete listed.packages['node_modules/better-sqlite3'];
  writeFileSync(lock, JSON.stringify(listed));
  rmSync(database);
  expect(setup(root)).toEqual([]);
});

test('packages that another Node compiled, or nobody, are compiled without being installed', () => {
  const { root, vectors, database } = installed();
  writeFileSync(vectors, 'of another Node');
  expect(setup(root)).toEqual(['npm rebuild']);
  rmSync(database);
  expect(setup(root)).toEqual(['npm rebuild', 'npm rebuild']);
});

test('what packages compile can be left for the next run, which compiles it without installing again', () => {
  const root = clone();
  const known = join(root, 'dist/.tsbuildinfo');
  expect(setup(root, '--compile-later')).toEqual(['npm ci --ignore-scripts']);
  expect(setup(root, '--compile-later')).toEqual(['npm ci --ignore-scripts']);
  writeFileSync(known, 'of the build that goes on beside it');
  expect(setup(root)).toEqual(['npm ci --ignore-scripts', 'npm rebuild']);
  expect([setup(root).length, setup(root, '--compile-later').length, existsSync(known)]).toEqual([2, 2, true]);
});
