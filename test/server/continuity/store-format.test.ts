import { execFileSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { ensureRepository } from '../../../server/continuity/git/repository.ts';
import { openReader } from '../../../server/continuity/store/owner-reader.ts';
import { ownerPlaceOf } from '../../../server/continuity/store/place.ts';
import { bePresent } from '../../../server/continuity/store/presence.ts';
import { purgeSubject } from '../../../server/continuity/store/purge.ts';
import { scanFor } from '../../../server/continuity/store/raw-scan.ts';
import { tempFolder } from '../../support/folder.ts';
import { close, gitIn, opened } from './text-store.ts';
import { pathOf, textOf, TEXTS } from './trivial.ts';

const X = { kind: 'thread', id: 'x' };

/** Commits files by hand, as no server does. */
function committed(root: string, texts: Readonly<Record<string, string>>): void {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const input = [
    `commit refs/heads/main\ncommitter x <x@x> 1795000000 +0000\n${data('by hand')}`,
    ...Object.entries(texts).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`),
  ].join('');
  const { folder } = ownerPlaceOf(root, 'ada');
  ensureRepository(folder);
  execFileSync('git', ['--git-dir', folder, 'fast-import', '--quiet', '--date-format=raw'], { input });
}

const jsonOf = (id: string, text: string) => JSON.stringify({ kind: 'thread', id, text });

describe('the format of a store', () => {
  test('a new store gets the name of its format with its first change, refused ones before it or not', async () => {
    const root = tempFolder();
    const { store } = opened(root);
    await expect(store.mutate(textOf('x', 'refuse'))).rejects.toMatchObject({ code: 'request_invalid' });
    await store.mutate(textOf('x', 'a'));
    expect(JSON.parse(gitIn(root, 'show', 'main:memory/store.json'))).toEqual({
      format: 1,
      layout: 'specification',
      owner: 'ada',
    });
  });

  test.each([
    ['format 2', '{"format":2,"owner":"ada"}', 'format 2'],
    ['format 3', '{"format":3,"owner":"ada"}', 'format 3'],
    ['another owner', '{"format":1,"layout":"specification","owner":"eve"}', 'another owner'],
    ['no layout, as one with its files in 64 folders', '{"format":1,"owner":"ada"}', 'layout'],
    ['another layout', '{"format":1,"layout":"folders","owner":"ada"}', 'layout'],
    ['no JSON', 'format', 'names no format'],
    ['no name of its format', null, 'is missing'],
  ])(
    'a store of %s is refused by name, to whoever writes, reads or erases, and stays as it is',
    async (_, text, why) => {
      const root = tempFolder();
      const files = {
        [pathOf('thread', 'x')]: jsonOf('x', 'theirs'),
        'memory/continuity/2a/thread-y.json': jsonOf('y', 'theirs'),
      };
      committed(root, text === null ? files : { ...files, 'memory/store.json': text });
      const refusal = { code: 'continuity_unusable', message: expect.stringContaining(why) as string };
      const before = gitIn(root, 'rev-parse', 'main');
      const { store, troubles } = opened(root);
      await expect(store.mutate(textOf('x', 'a'))).rejects.toMatchObject(refusal);
      await expect(store.follow()).rejects.toMatchObject(refusal);
      expect(troubles).toEqual([expect.objectContaining(refusal), expect.objectContaining(refusal)]);
      await expect(scanFor(ownerPlaceOf(root, 'ada'), TEXTS, [X])).rejects.toMatchObject(refusal);
      const purge = purgeSubject(X, { root, owner: 'ada', layout: TEXTS, backups: [], dryRun: false });
      await expect(purge).rejects.toMatchObject(refusal);
      expect(openReader(root, 'ada', TEXTS).held(X)).toBeNull();
      expect(gitIn(root, 'rev-parse', 'main')).toBe(before);
    },
  );

  test.each(['{"format":3,"owner":"ada"}', '{"format":1,"owner":"ada"}'])(
    'a reader refuses a copy of a store that says %s',
    async (said) => {
      const root = tempFolder();
      await opened(root).store.mutate(textOf('x', 'a'));
      const db = new Database(ownerPlaceOf(root, 'ada').state);
      db.prepare("UPDATE files SET bytes = ? WHERE path = 'memory/store.json'").run(Buffer.from(said));
      db.close();
      expect(() => openReader(root, 'ada', TEXTS).held(X)).toThrow(VadeError);
    },
  );
});

describe('the format of a copy', () => {
  test.each([
    ['a later format', 'PRAGMA user_version = 2', 'format 2'],
    ['a format 1 of another layout', 'PRAGMA application_id = 0', 'another program'],
  ])('%s is refused by the name of its file, and stays as it is', async (_, sql, why) => {
    const root = tempFolder();
    const { store } = opened(root);
    await store.mutate(textOf('x', 'a'));
    await close(store);
    const db = new Database(ownerPlaceOf(root, 'ada').state);
    db.exec(sql);
    const message = expect.stringMatching(
      new RegExp(`^ada\\.db, .*${why}.*: delete it, and the server makes it again from git$`),
    ) as string;
    const refusal = expect.objectContaining({ code: 'continuity_unusable', message }) as Error;
    const presence = bePresent(ownerPlaceOf(root, 'ada').present);
    expect(() => opened(root)).toThrow(refusal);
    expect(() => openReader(root, 'ada', TEXTS)).toThrow(refusal);
    // who was refused keeps nobody from being alone
    expect(presence.ifAlone(() => undefined)).toBe(true);
    presence.end();
    expect(() => opened(root)).toThrow(refusal);
    expect(db.prepare("SELECT count(*) FROM files WHERE place = 'active'").pluck().get()).toBe(1);
    db.close();
  });
});
