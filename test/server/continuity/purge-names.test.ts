import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CAPSULES } from '../../../server/continuity/capsules/layout.ts';
import { applyVerb } from '../../../server/continuity/capsules/verbs.ts';
import { startImport } from '../../../server/continuity/git/fast-import.ts';
import { changedFiles, readBlobs } from '../../../server/continuity/git/read-history.ts';
import { readTip } from '../../../server/continuity/git/repository.ts';
import { openOwner } from '../../../server/continuity/store/owner-store.ts';
import { ownerPlaceOf } from '../../../server/continuity/store/place.ts';
import { purgeSubject } from '../../../server/continuity/store/purge.ts';
import { ago, capsuleOf, NOW, upsertOf } from '../../continuity/capsules.ts';
import { tempFolder } from '../../support/folder.ts';

/** Two ids of one normalised name: who comes second gets a suffix, and who comes after a deletion the plain name. */
const [FIRST, SECOND] = ['Jane Doe', 'jane-doe'];
const PLAIN = 'memory/continuity/thread-jane-doe.json';

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['--git-dir', ownerPlaceOf(root, 'ada').folder, ...args], { encoding: 'utf8' });
const objectsOf = (root: string) => git(root, 'cat-file', '--batch-all-objects', '--batch', '--unordered');
const said = (id: string) => `said by ${id.replace(' ', '_')}`;

type Step = readonly [verb: 'delete' | 'upsert', id: string];

/** Writes what happened to subjects, one commit for each step. */
async function written(root: string, steps: readonly Step[]): Promise<void> {
  const store = openOwner({ root, owner: 'ada', apply: applyVerb, layout: CAPSULES, onTrouble: () => undefined });
  for (const [at, [verb, id]] of steps.entries()) {
    const named = { subject_kind: 'thread', subject_id: id };
    const capsule = capsuleOf({ ...named, updated_at: ago(1000 - at) }, { open_loops: [`${said(id)} ${at}`] });
    const everything = { delete_active: true, delete_fallback: true, delete_archive: true, reason: 'asked' };
    const request = verb === 'upsert' ? upsertOf(capsule) : { ...named, ...everything };
    await store.mutate({ subject: { kind: 'thread', id }, verb, request, now: NOW, author: 'x', key: null });
  }
  await store.end();
}

const purge = (root: string, id: string, dryRun = false) =>
  purgeSubject({ kind: 'thread', id }, { root, owner: 'ada', layout: CAPSULES, backups: [], dryRun });

/** Every version in the history, as `<path> <blob>`, but the one that names the format. */
function versionsOf(root: string): string[] {
  const raw = git(root, 'log', '--raw', '--no-abbrev', '--format=', '--reverse', 'main').trim().split('\n');
  const changes = raw.map((it) => /^:\d+ \d+ \w+ (\w+) [AM]\t(.*)$/.exec(it) ?? []);
  return changes.flatMap(([, blob, path = '']) => (path.includes('continuity/') ? [`${path} ${blob ?? ''}`] : []));
}

/** Steps of the first and of the second: a plus stores it, a minus deletes it. */
const TURNS: Readonly<Record<string, string>> = {
  'the first is deleted, and the second has a suffix': '+1 +2 +1 -1 +2',
  'the first is deleted, and the second takes its name': '+1 -1 +2 +2',
  'the second is deleted': '+1 +2 -2 +1',
  'both are deleted, and both come back in the other order': '+1 +2 -1 -2 +2 +1',
};

const stepsOf = (turns: string) =>
  turns.split(' ').map((it): Step => [it.startsWith('+') ? 'upsert' : 'delete', it.endsWith('1') ? FIRST : SECOND]);

describe('two ids that normalise to one name', () => {
  test.each(
    Object.keys(TURNS).flatMap((turn) => [
      [turn, FIRST, SECOND],
      [turn, SECOND, FIRST],
    ]),
  )('where %s, a purge of “%s” erases its versions and none of “%s”', async (turn = '', gone = '', stays = '') => {
    const [root, alone] = [tempFolder(), tempFolder()];
    const steps = stepsOf(TURNS[turn] ?? '');
    await written(root, steps);
    const idOf = (version: string) => version.split(' ')[1] ?? '';
    const texts = await readBlobs(ownerPlaceOf(root, 'ada'), versionsOf(root).map(idOf));
    const before = versionsOf(root).filter((it) => texts.get(idOf(it))?.includes(said(stays)));
    const { commits, versions, unreadable } = await purge(root, gone);
    const own = steps.filter(([, id]) => id === gone);
    expect([commits, versions, unreadable]).toEqual([
      own.length,
      2 * own.filter(([verb]) => verb === 'upsert').length,
      0,
    ]);
    expect(objectsOf(root)).not.toContain(said(gone));
    expect(versionsOf(root)).toEqual(before);
    git(root, 'fsck', '--strict');
    // every other change is there, each with its own message
    await written(
      alone,
      steps.filter(([, id]) => id === stays),
    );
    const subjects = (it: string) => git(it, 'log', '--format=%s', 'main');
    expect(subjects(root)).toBe(subjects(alone));
    await purge(root, stays);
    expect(versionsOf(root)).toEqual([]);
    await expect(purge(root, gone)).rejects.toMatchObject({ code: 'capsule_not_found' });
  });
});

/** Commits files by hand, as no server does; a text is written, null removes. */
async function byHand(root: string, message: string, files: Readonly<Record<string, string | null>>): Promise<void> {
  const place = ownerPlaceOf(root, 'ada');
  const stream = await startImport(place);
  const writes = new Map(Object.entries(files).map(([path, text]) => [path, text === null ? null : Buffer.from(text)]));
  await stream.append(readTip(place.folder), [{ author: 'x', message: `${message}\n`, at: NOW / 1000, writes }]);
  await stream.end();
}

const filesAt = async (root: string) => {
  const place = ownerPlaceOf(root, 'ada');
  const files = await changedFiles(place, null, readTip(place.folder) ?? '');
  const blobs = await readBlobs(
    place,
    files.map(({ blob }) => blob ?? ''),
  );
  return new Map(files.map(({ path, blob }) => [path, String(blobs.get(blob ?? ''))]));
};

describe('versions that are not as a server writes them', () => {
  test.each(['', '{"subject_id":', '[]', '{"subject_id":7}', '\0\u{fffd}'])(
    'the version %j says of nobody: it is erased where the subject may lie, counted, and kept elsewhere',
    async (damaged) => {
      const root = tempFolder();
      await written(root, [['upsert', FIRST]]);
      const elsewhere = 'memory/continuity/thread-john.json';
      await byHand(root, 'damage', { [PLAIN]: damaged, [elsewhere]: `${damaged} ` });
      expect(await purge(root, FIRST, true)).toMatchObject({ versions: 3, unreadable: 1 });
      expect(await purge(root, FIRST)).toMatchObject({ versions: 3, unreadable: 1 });
      const kept = [...(await filesAt(root))].filter(([path]) => path.includes('continuity/'));
      expect(kept).toEqual([[elsewhere, `${damaged} `]]);
    },
  );

  test('a version over another’s file ends that one in the new history too, and its message is not kept', async () => {
    const root = tempFolder();
    await written(root, [['upsert', SECOND]]);
    await byHand(root, `wrote of ${FIRST}`, { [PLAIN]: JSON.stringify(capsuleOf({ subject_id: FIRST })) });
    await purge(root, FIRST);
    expect((await filesAt(root)).has(PLAIN)).toBe(false);
    expect(git(root, 'log', '-1', '--format=%s', 'main').trim()).toBe('continuity: erased');
    expect(objectsOf(root)).toContain(said(SECOND));
    expect(objectsOf(root)).not.toContain(FIRST);
  });
});

describe('a purge that was killed', () => {
  const mark = (root: string) => join(ownerPlaceOf(root, 'ada').folder, 'vade-replaced');

  test('after the branch was moved is finished by the next one, which counts what it erased', async () => {
    const [root, after] = [tempFolder(), tempFolder()];
    const steps: Step[] = [
      ['upsert', 'gone'],
      ['upsert', 'kept'],
    ];
    await written(root, steps);
    await written(after, steps.slice(1));
    const old = git(root, 'rev-parse', 'main').trim();
    execFileSync('git', [
      '--git-dir',
      ownerPlaceOf(root, 'ada').folder,
      ...['-c', 'protocol.allow=always', 'fetch'],
      '-q',
      ownerPlaceOf(after, 'ada').folder,
      '+main:main',
    ]);
    writeFileSync(mark(root), `${old}\n`);
    expect(objectsOf(root)).toContain(said('gone'));
    expect(await purge(root, 'gone', true)).toMatchObject({ commits: 1, versions: 2 });
    expect(await purge(root, 'gone')).toMatchObject({ commits: 1, versions: 2 });
    expect(objectsOf(root)).not.toContain(said('gone'));
    expect(existsSync(mark(root))).toBe(false);
    await expect(purge(root, 'gone')).rejects.toMatchObject({ code: 'capsule_not_found' });
  });

  test('before the branch was moved, or while objects were removed, loses nothing that stays', async () => {
    const root = tempFolder();
    await written(root, [
      ['upsert', 'gone'],
      ['upsert', 'kept'],
    ]);
    for (const old of [git(root, 'rev-parse', 'main').trim(), 'a'.repeat(40)]) {
      git(root, 'update-ref', 'refs/heads/rewritten', 'main');
      writeFileSync(mark(root), `${old}\n`);
      await expect(purge(root, 'nobody')).rejects.toMatchObject({ code: 'capsule_not_found' });
    }
    expect(git(root, 'for-each-ref', '--format=%(refname)').trim()).toBe('refs/heads/main');
    expect(await purge(root, 'gone')).toMatchObject({ commits: 1, versions: 2 });
    expect(objectsOf(root)).toContain(said('kept'));
    expect(existsSync(mark(root))).toBe(false);
  });
});
