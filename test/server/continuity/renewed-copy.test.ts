import { rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { fileIdentity } from '../../../compiler/io/files/file.ts';
import type { OwnerStore } from '../../../server/continuity/store/owner-store.ts';
import { ownerPlaceOf } from '../../../server/continuity/store/place.ts';
import { purgeSubject } from '../../../server/continuity/store/purge.ts';
import { tempFolder } from '../../support/folder.ts';
import { damagePages } from '../damage.ts';
import { close, gitIn, held, opened } from './text-store.ts';
import { textOf, TEXTS } from './trivial.ts';

test('a damaged state is made again while another process has it, which goes on with the new one', async () => {
  const root = tempFolder();
  const first = opened(root);
  await first.store.mutate(textOf('x', 'kept'));
  writeFileSync(ownerPlaceOf(root, 'ada').state, 'no database');
  await opened(root).store.mutate(textOf('y', 'by the second'));
  await first.store.mutate(textOf('z', 'by the first'));
  expect(['x', 'y', 'z'].map((it) => held(root, it))).toEqual(['kept', 'by the second', 'by the first']);
  expect(gitIn(root, 'rev-list', '--count', 'main').trim()).toBe('4');
});

test('a state that was removed under a running store is made again', async () => {
  const root = tempFolder();
  const { store } = opened(root);
  await store.mutate(textOf('x', 'a'));
  for (const end of ['', '-wal', '-shm']) rmSync(ownerPlaceOf(root, 'ada').state + end);
  await store.mutate(textOf('y', 'b'));
  expect([held(root, 'x'), held(root, 'y')]).toEqual(['a', 'b']);
});

/** Overwrites the pages of the state after its first: what is opened is well, and what is read is not. */
const damaged = (root: string) => {
  const { state } = ownerPlaceOf(root, 'ada');
  const db = new Database(state);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  damagePages(state);
};

test.each([
  ['written', (store: OwnerStore) => store.mutate(textOf('y', 'b')).then(() => undefined)],
  ['read', (store: OwnerStore, root: string) => store.follow(fileIdentity(ownerPlaceOf(root, 'ada').state))],
])('pages that are damaged are noticed when they are %s, and the state is made again', async (_, work) => {
  const root = tempFolder();
  const first = opened(root);
  await first.store.mutate(textOf('x', 'a'));
  await close(first.store);
  damaged(root);
  const { store } = opened(root);
  await work(store, root);
  expect(held(root, 'x')).toBe('a');
  expect((await store.mutate(textOf('x', 'c'))).answer).toEqual({ text: 'c', last: 'a' });
});

test('a purge needs no sound state either', async () => {
  const root = tempFolder();
  const { store } = opened(root);
  await store.mutate(textOf('x', 'secret'));
  await store.mutate(textOf('y', 'kept'));
  await close(store);
  damaged(root);
  const options = { root, owner: 'ada', layout: TEXTS, backups: [], dryRun: false };
  expect(await purgeSubject({ kind: 'thread', id: 'x' }, options)).toMatchObject({ versions: 1 });
  await opened(root).store.follow();
  expect([held(root, 'x'), held(root, 'y')]).toEqual([null, 'kept']);
});
