import { describe, expect, test } from 'vitest';
import { archive } from '../../compiler/continuity/archive.ts';
import { deleteCapsules } from '../../compiler/continuity/delete.ts';
import { read } from '../../compiler/continuity/read.ts';
import { ReadRequest } from '../../compiler/continuity/schema/reading/read.ts';
import { ArchiveRequest, DeleteRequest } from '../../compiler/continuity/schema/removal.ts';
import { loadArchive } from '../../compiler/continuity/stored/load.ts';
import { applied, noFiles, NOW, OCCASION, refused, stored } from './capsules.ts';

const SUBJECT = { subject_kind: 'thread' as const, subject_id: 'store' };
const archiveOf = (reason = 'the work is done') => ArchiveRequest.parse({ ...SUBJECT, reason });
const deletionOf = (more: object) => DeleteRequest.parse({ ...SUBJECT, reason: 'asked to', ...more });

describe('POST /v1/continuity/archive', () => {
  test('the capsule moves into an envelope that says when, by whom and why; its fallback goes with it', () => {
    const files = stored();
    const { writes, answer, message } = archive(archiveOf(), files, OCCASION);
    const path = 'memory/continuity/archive/thread-store-20261123T120000Z.json';
    expect([...writes].map(([at, bytes]) => [at, bytes !== null])).toEqual([
      [path, true],
      ['memory/continuity/thread-store.json', false],
      ['memory/continuity/fallback/thread-store.json', false],
    ]);
    expect(answer).toMatchObject({ archived: true, archive_path: path });
    expect(message).toBe('continuity: archive thread store');
    expect(loadArchive(writes.get(path)!)).toMatchObject({
      ok: true,
      value: {
        archived_at: '2026-11-23T12:00:00Z',
        archived_by: 'assistant',
        reason: 'the work is done',
        active_path: 'memory/continuity/thread-store.json',
        capsule: { subject_id: 'store' },
      },
    });
  });

  test('afterwards the capsule is missing, and a reading that degrades says that it was archived', () => {
    const files = stored();
    const after = applied(files, archive(archiveOf(), files, OCCASION));
    refused('capsule_not_found', () => read(ReadRequest.parse(SUBJECT), after, { now: NOW }));
    const answer = read(ReadRequest.parse({ ...SUBJECT, allow_fallback: true }), after, { now: NOW });
    expect(answer).toMatchObject({ source_state: 'missing', capsule: null, archived: true });
  });

  test('two archives of one second have two paths', () => {
    const files = stored();
    const once = applied(files, archive(archiveOf(), files, OCCASION));
    const again = archive(archiveOf(), { ...once, active: files.active }, OCCASION);
    expect(again.answer.archive_path).toBe('memory/continuity/archive/thread-store-20261123T120000Z-2.json');
  });

  test('there has to be an active capsule that can be read', () => {
    refused('capsule_not_found', () => archive(archiveOf(), noFiles(), OCCASION));
    refused('capsule_damaged', () => archive(archiveOf(), { ...stored(), active: Buffer.from('[]') }, OCCASION));
  });
});

describe('POST /v1/continuity/delete', () => {
  const files = stored();
  const once = applied(files, archive(archiveOf(), files, OCCASION));
  const all = { ...files, archives: once.archives };

  test.each([
    ['delete_active', ['memory/continuity/thread-store.json']],
    ['delete_fallback', ['memory/continuity/fallback/thread-store.json']],
    ['delete_archive', ['memory/continuity/archive/thread-store-20261123T120000Z.json']],
  ])('%s removes that and nothing else', (flag, paths) => {
    const { writes, answer } = deleteCapsules(deletionOf({ [flag]: true }), all);
    expect([...writes]).toEqual(paths.map((path) => [path, null]));
    expect(answer).toEqual({
      ok: true,
      path: 'memory/continuity/thread-store.json',
      durable: true,
      recovery_warnings: [],
      deleted_paths: paths,
      missing_paths: [],
    });
  });

  test('what is not there is told, and is no error', () => {
    const { writes, answer } = deleteCapsules(deletionOf({ delete_active: true, delete_fallback: true }), noFiles());
    expect(writes.size).toBe(0);
    expect(answer.missing_paths).toEqual([
      'memory/continuity/thread-store.json',
      'memory/continuity/fallback/thread-store.json',
    ]);
  });

  test('a damaged capsule can be deleted', () => {
    const damaged = { ...stored(), active: Buffer.from('nothing') };
    expect(deleteCapsules(deletionOf({ delete_active: true }), damaged).writes.size).toBe(1);
  });

  test('at least one flag has to be true', () => {
    expect(DeleteRequest.safeParse({ ...SUBJECT, reason: 'asked to' }).success).toBe(false);
    expect(DeleteRequest.safeParse({ ...SUBJECT, reason: 'asked to', delete_active: false }).success).toBe(false);
  });
});
