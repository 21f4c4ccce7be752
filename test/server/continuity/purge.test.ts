import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openOwner, type OwnerStore } from '../../../server/continuity/store/owner-store.ts';
import { ownerPlaceOf } from '../../../server/continuity/store/place.ts';
import { purgeSubject } from '../../../server/continuity/store/purge.ts';
import { tempFolder } from '../../support/folder.ts';
import { LOCKS } from './text-store.ts';
import { applyText, textOf, TEXTS } from './trivial.ts';

const SECRET = 'heron-behind-the-boathouse';
const WANTED = { kind: 'thread', id: 'gone' };

let store: OwnerStore | null = null;

afterEach(async () => {
  await store?.end();
  store = null;
});

/** A store whose history has two subjects, one after the other and in turns. */
async function written(root: string): Promise<OwnerStore> {
  store = openOwner({ root, owner: 'ada', apply: applyText, layout: TEXTS, onTrouble: () => undefined });
  const key = { key: 'a'.repeat(64), digest: 'b'.repeat(64) };
  await store.mutate(textOf('gone', `${SECRET} 1`, { key }));
  await store.mutate(textOf('kept', 'one'));
  await store.mutate(textOf('gone', `${SECRET} 2`));
  await store.mutate(textOf('kept', 'two'));
  await store.mutate(textOf('gone', 'delete'));
  return store;
}

const purge = (root: string, backups: readonly string[] = [], dryRun = false) =>
  purgeSubject(WANTED, { root, owner: 'ada', layout: TEXTS, backups, dryRun });

const gitIn = (root: string, ...args: string[]) =>
  execFileSync('git', ['--git-dir', ownerPlaceOf(root, 'ada').folder, ...args], { encoding: 'utf8' });

/** Every object of a repository, as text. */
const objectsOf = (root: string) => gitIn(root, 'cat-file', '--batch-all-objects', '--batch', '--unordered');

test('a purge erases every version of a subject and the commits that wrote them; the others stay', async () => {
  const root = tempFolder();
  await written(root);
  expect(objectsOf(root)).toContain(SECRET);
  const { commits, versions } = await purge(root);
  expect([commits, versions]).toEqual([3, 2]);
  expect(objectsOf(root)).not.toContain(SECRET);
  expect(objectsOf(root)).not.toContain('gone');
  expect(gitIn(root, 'log', '--format=%s', 'main').trim().split('\n')).toEqual([
    'text: thread kept',
    'text: thread kept',
    'continuity: store format',
  ]);
  expect(gitIn(root, 'show', `main:memory/continuity/thread-kept.json`)).toContain('two');
  gitIn(root, 'fsck', '--strict');
  for (const name of readdirSync(root).filter((it) => it.startsWith('ada.db')))
    expect(readFileSync(join(root, name)).includes(SECRET), name).toBe(false);
});

test('a store that is open goes on after a purge, and writes what it had written before', async () => {
  const root = tempFolder();
  const open = await written(root);
  await purge(root);
  // the same bytes as before the purge: a git that remembers them would not write them again
  await open.mutate(textOf('gone', `${SECRET} 1`));
  const { answer } = await open.mutate(textOf('kept', 'three'));
  expect(answer).toEqual({ text: 'three', last: 'two' });
  gitIn(root, 'fsck', '--strict', '--no-dangling');
  expect(gitIn(root, 'show', `main:memory/continuity/thread-gone.json`)).toContain(SECRET);
});

test('a purge takes the locks that a killed git left', async () => {
  const root = tempFolder();
  await written(root);
  for (const name of LOCKS) writeFileSync(join(ownerPlaceOf(root, 'ada').folder, name), '');
  await purge(root);
  expect(objectsOf(root)).not.toContain(SECRET);
});

test('a purge says which backups still have the subject', async () => {
  const [root, place] = [tempFolder(), tempFolder()];
  await written(root);
  const [whole, single] = [join(place, 'all'), join(place, 'one')];
  cpSync(root, whole, { recursive: true });
  cpSync(ownerPlaceOf(root, 'ada').folder, single, { recursive: true });
  const backups = [whole, join(place, 'nothing'), single];
  expect((await purge(root, backups, true)).backups).toEqual([whole, single]);
  expect(objectsOf(root)).toContain(SECRET);
  expect((await purge(root, backups)).backups).toEqual([whole, single]);
});
