import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { placeOf } from '../../../server/continuity/store/place.ts';
import { tempFolder } from '../../support/folder.ts';
import { close, gitIn, opened } from './text-store.ts';
import { pathOf, textOf } from './trivial.ts';

describe('the format of a store', () => {
  /** A repository with one file of the specification's own layout. */
  async function withFile(root: string, path: string, text: string): Promise<void> {
    const first = opened(root, {
      apply: () => ({ writes: new Map([[path, Buffer.from(text)]]), message: 'x', answer: {} }),
    });
    await first.store.mutate(textOf('x', 'a'));
    await close(first.store);
  }

  test('a store without a name of its format is upgraded by its next change, and keeps what it has', async () => {
    const root = tempFolder();
    await withFile(root, pathOf('thread', 'x'), '{"kind":"thread","id":"x","text":"from before"}');
    // as another server wrote it: without the file that names the format
    const tree = gitIn(root, 'ls-tree', 'main:memory').replace(/^.*store\.json\n/m, '');
    const memory = execFileSync('git', ['--git-dir', placeOf(root, 'ada').folder, 'mktree'], {
      input: tree,
      encoding: 'utf8',
    });
    const top = `040000 tree ${memory.trim()}\tmemory\n`;
    const root_ = execFileSync('git', ['--git-dir', placeOf(root, 'ada').folder, 'mktree'], {
      input: top,
      encoding: 'utf8',
    });
    const author = ['-c', 'user.name=x', '-c', 'user.email=x@x'];
    gitIn(root, 'update-ref', 'refs/heads/main', gitIn(root, ...author, 'commit-tree', '-m', 'x', root_.trim()).trim());
    const { store } = opened(root);
    expect((await store.mutate(textOf('x', 'after'))).answer).toEqual({ text: 'after', last: 'from before' });
    expect(JSON.parse(gitIn(root, 'show', 'main:memory/store.json'))).toEqual({ format: 2, owner: 'ada' });
  });

  test('a new store gets the name of its format with its first change, refused ones before it or not', async () => {
    const root = tempFolder();
    const { store } = opened(root);
    await expect(store.mutate(textOf('x', 'refuse'))).rejects.toMatchObject({ code: 'request_invalid' });
    await store.mutate(textOf('x', 'a'));
    expect(JSON.parse(gitIn(root, 'show', 'main:memory/store.json'))).toEqual({ format: 2, owner: 'ada' });
  });

  test.each([
    ['a later format', '{"format":3,"owner":"ada"}'],
    ['another owner', '{"format":2,"owner":"eve"}'],
    ['no JSON', 'format'],
  ])('a store of %s is not written to', async (_, text) => {
    const root = tempFolder();
    await withFile(root, 'memory/store.json', text);
    const { store, troubles } = opened(root);
    await expect(store.mutate(textOf('x', 'a'))).rejects.toMatchObject({ code: 'continuity_unavailable' });
    expect(troubles).toHaveLength(1);
  });
});
