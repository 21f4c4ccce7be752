import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { activePath, archivePath, fallbackPath } from '../../../../compiler/continuity/stored/paths.ts';
import { isStray, plainPath, shardedPath } from '../../../../server/continuity/git/shards.ts';

describe('where git has a file', () => {
  const id = fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' });

  test('every path of a capsule is in a shard of its folder, and is found from there', () => {
    fc.assert(
      fc.property(id, (it) => {
        const active = activePath('thread', it, () => false);
        for (const path of [active, fallbackPath(active), archivePath(active, 0, () => false)]) {
          const sharded = shardedPath(path);
          expect(sharded).toMatch(/^memory\/continuity(\/fallback|\/archive)?\/[0-3][0-9a-f]\/[^/]+$/);
          expect(plainPath(sharded)).toBe(path);
          expect(shardedPath(sharded)).toBe(sharded);
        }
      }),
    );
  });

  test('a thousand names use all shards, about evenly', () => {
    const shards = new Map<string, number>();
    for (let i = 0; i < 1000; i++) {
      const [, , shard = ''] = shardedPath(`memory/continuity/thread-subject-${i}.json`).split('/');
      shards.set(shard, (shards.get(shard) ?? 0) + 1);
    }
    expect(shards.size).toBe(64);
    expect(Math.max(...shards.values())).toBeLessThan(40);
  });

  test.each([
    'memory/store.json',
    'tasks/open/x.json',
    'memory/continuity/x.md',
    'memory/continuity/.x.json',
    'x.json',
  ])('%s stays where it is', (path) => {
    expect([shardedPath(path), plainPath(path)]).toEqual([path, path]);
  });

  test('a name in a shard of another is not taken for it', () => {
    const path = shardedPath('memory/continuity/thread-x.json');
    const wrong = path.replace(/\/([0-9a-f]{2})\//, (_, shard: string) => `/${shard === '00' ? '01' : '00'}/`);
    expect(plainPath(wrong)).toBe(wrong);
    expect([wrong, plainPath(path), path].map(isStray)).toEqual([true, true, false]);
  });

  test('what could be no file of a capsule is no stray', () => {
    expect(['memory/store.json', 'memory/continuity/notes.md', 'tasks/open/x.json'].filter(isStray)).toEqual([]);
    // no server names a file like this, but nothing may read it for that
    expect(isStray('memory/continuity/.x.json')).toBe(true);
  });
});
