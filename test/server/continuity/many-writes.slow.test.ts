import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ownerPlaceOf } from '../../../server/continuity/store/place.ts';
import { tempFolder } from '../../support/folder.ts';
import { close, gitIn, opened } from './text-store.ts';
import { textOf } from './trivial.ts';

const WRITES = 10_000;
/** Subjects that take turns. */
const SUBJECTS = 100;
/** A hundred packs of a git that runs with two files each, those that are joined next, and a few beside. */
const MOST_FILES = 400;

test(
  'a store that was written to ten thousand times, one by one, has few files, and every commit',
  { timeout: 600_000 },
  async () => {
    const root = tempFolder();
    const { store, troubles } = opened(root);
    const { folder } = ownerPlaceOf(root, 'ada');
    const files = () =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile()).length;
    let most = 0;
    for (let i = 0; i < WRITES; i++) {
      await store.mutate(textOf(`subject-${i % SUBJECTS}`, `text ${i}`));
      if (i % 10 === 0) most = Math.max(most, files());
    }
    await close(store);
    expect(troubles).toEqual([]);
    expect(most).toBeLessThan(MOST_FILES);
    expect(gitIn(root, 'rev-list', '--count', 'main').trim()).toBe(String(WRITES + 1));
    gitIn(root, 'fsck', '--strict', '--no-dangling');
  },
);
