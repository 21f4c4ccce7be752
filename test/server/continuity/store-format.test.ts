import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { ensureRepository } from '../../../server/continuity/git/repository.ts';
import { shardedPath } from '../../../server/continuity/git/shards.ts';
import { openReader } from '../../../server/continuity/store/owner-reader.ts';
import { placeOf } from '../../../server/continuity/store/place.ts';
import { tempFolder } from '../../support/folder.ts';
import { close, gitIn, held, opened } from './text-store.ts';
import { pathOf, textOf, TEXTS } from './trivial.ts';

describe('the format of a store', () => {
  /** A repository with one file of the specification's own layout. */
  async function withFile(root: string, path: string, text: string): Promise<void> {
    const first = opened(root, {
      apply: () => ({ writes: new Map([[path, Buffer.from(text)]]), message: 'x', answer: {} }),
    });
    await first.store.mutate(textOf('x', 'a'));
    await close(first.store);
  }

  /** As a version before shards left it: its files flat. */
  function flattened(root: string, texts: Readonly<Record<string, string>>): void {
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const input = [
      `commit refs/heads/main\ncommitter x <x@x> 1795000000 +0000\n${data('before')}`,
      ...Object.entries(texts).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`),
    ].join('');
    const { folder } = placeOf(root, 'ada');
    ensureRepository(folder);
    execFileSync('git', ['--git-dir', folder, 'fast-import', '--quiet', '--date-format=raw'], { input });
  }
  const jsonOf = (id: string, text: string) => JSON.stringify({ kind: 'thread', id, text });
  const filesIn = (root: string) => gitIn(root, 'ls-tree', '-r', '--name-only', 'main').trim().split('\n');

  test('files of a store of format 2 move to their shards with its next change; each keeps its path for readers', async () => {
    const root = tempFolder();
    const [x, y] = [pathOf('thread', 'x'), pathOf('thread', 'y')];
    flattened(root, {
      'memory/store.json': '{"format":2,"owner":"ada"}',
      [x]: jsonOf('x', 'old'),
      [y]: jsonOf('y', 'other'),
      'notes/my.md': 'kept',
    });
    const other = opened(root).store;
    await other.follow();
    expect([held(root, 'x'), held(root, 'y')]).toEqual(['old', 'other']);
    const { store } = opened(root);
    expect((await store.mutate(textOf('x', 'new'))).answer).toEqual({ text: 'new', last: 'old' });
    const fallback = shardedPath(x.replace('continuity/', 'continuity/fallback/'));
    expect(filesIn(root)).toEqual(
      [shardedPath(x), shardedPath(y), fallback, 'memory/store.json', 'notes/my.md'].sort(),
    );
    rmSync(placeOf(root, 'ada').state);
    await opened(root).store.follow();
    expect([held(root, 'x'), held(root, 'y')]).toEqual(['new', 'other']);
  });

  test('a file that somebody put where shards are, and in none, is nobody’s', async () => {
    const root = tempFolder();
    const { store } = opened(root);
    await store.mutate(textOf('x', 'ours'));
    const data = jsonOf('x', 'theirs');
    const input = `commit refs/heads/main\ncommitter x <x@x> 1 +0000\ndata 1\nx\nfrom refs/heads/main^0\nM 100644 inline ${pathOf('thread', 'x')}\ndata ${data.length}\n${data}\n`;
    execFileSync('git', ['--git-dir', placeOf(root, 'ada').folder, 'fast-import', '--quiet', '--date-format=raw'], {
      input,
    });
    await store.follow();
    expect(held(root, 'x')).toBe('ours');
    rmSync(placeOf(root, 'ada').state);
    await opened(root).store.follow();
    expect(held(root, 'x')).toBe('ours');
  });

  test('a store without a name of its format is upgraded by its next change, and keeps what it has', async () => {
    const root = tempFolder();
    // as another server of the specification wrote it
    flattened(root, { [pathOf('thread', 'x')]: jsonOf('x', 'from before') });
    const { store } = opened(root);
    expect((await store.mutate(textOf('x', 'after'))).answer).toEqual({ text: 'after', last: 'from before' });
    expect(JSON.parse(gitIn(root, 'show', 'main:memory/store.json'))).toEqual({ format: 3, owner: 'ada' });
  });

  test('a new store gets the name of its format with its first change, refused ones before it or not', async () => {
    const root = tempFolder();
    const { store } = opened(root);
    await expect(store.mutate(textOf('x', 'refuse'))).rejects.toMatchObject({ code: 'request_invalid' });
    await store.mutate(textOf('x', 'a'));
    expect(JSON.parse(gitIn(root, 'show', 'main:memory/store.json'))).toEqual({ format: 3, owner: 'ada' });
  });

  test.each([
    ['a later format', '{"format":4,"owner":"ada"}'],
    ['another owner', '{"format":2,"owner":"eve"}'],
    ['no JSON', 'format'],
  ])('a store of %s is not written to, nor followed for a reader', async (_, text) => {
    const root = tempFolder();
    await withFile(root, 'memory/store.json', text);
    const { store, troubles } = opened(root);
    await expect(store.mutate(textOf('x', 'a'))).rejects.toMatchObject({ code: 'continuity_unavailable' });
    await expect(store.follow()).rejects.toMatchObject({ code: 'continuity_unavailable' });
    expect(troubles).toHaveLength(2);
    expect(() => openReader(root, 'ada', TEXTS).held({ kind: 'thread', id: 'x' })).toThrow(VadeError);
  });
});
