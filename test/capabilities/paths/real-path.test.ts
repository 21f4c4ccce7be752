import { expect, test } from 'vitest';
import type { Disk } from '../../../compiler/capabilities/paths/disk.ts';
import { below, realPath } from '../../../compiler/capabilities/paths/real-path.ts';

const disk = (links: Readonly<Record<string, string>>): Disk => ({
  kindOf: (path) => {
    if (path.includes('broken')) throw new Error('ENAMETOOLONG');
    return Object.hasOwn(links, path) ? 'link' : null;
  },
  linkOf: (path) => links[path] ?? null,
  linksOf: () => 1,
  namesIn: () => null,
});

test.each<[string, Record<string, string>, string]>([
  ['/a/b', {}, '/a/b'],
  ['/a/../b/./c/', {}, '/b/c'],
  ['/', {}, '/'],
  ['/a/b', { '/a': '/x' }, '/x/b'],
  ['/a/b', { '/a/b': '/x/y' }, '/x/y'],
  ['/a/b/c', { '/a/b': 'x' }, '/a/x/c'],
  ['/a/b/c', { '/a/b': '../x' }, '/x/c'],
  ['/a/b', { '/a/b': 'c', '/a/c': '/d' }, '/d'],
  ['/a/b', { '/a/b': '/x/y', '/x': '/z' }, '/z/y'],
  ['/a/broken/c', {}, '/a/broken/c'],
])('%s with the links %j is %s', (path, links, real) => {
  expect(realPath(path, disk(links))).toBe(real);
});

test('forty links are followed, and one more, or a loop, is an error', () => {
  const row = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`/l${at}`, `/l${at + 1}`]));
  expect(realPath('/l0', disk(row(40)))).toBe('/l40');
  expect(() => realPath('/l0', disk(row(41)))).toThrow('links');
  expect(() => realPath('/a', disk({ '/a': '/a' }))).toThrow('links');
});

test.each<[string, string, string | null]>([
  ['/a', '/a', ''],
  ['/a', '/a/b/c', 'b/c'],
  ['/a', '/ab', null],
  ['/a', '/', null],
  ['/', '/a', 'a'],
  ['/', '/', ''],
])('below %s, %s is %j', (folder, path, wanted) => {
  expect(below(folder, path)).toBe(wanted);
});
