import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOW } from '../../../continuity/capsules.ts';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { OF, OWNER, place, type Place } from './capsules.ts';

let of: Place;

beforeAll(async () => {
  of = place();
  await of.upsert();
});

afterAll(() => of.capsules.end());

const archive = (...more: string[]) =>
  vade(['continuity', 'archive', '--continuity', of.root, ...OF, ...more], tempFolder());

test.each(['x', 'x'.repeat(241)])('a reason of %# has to have 3 to 240 characters', async (reason) => {
  expect((await archive('--reason', reason)).code).toBe(3);
});

test('vade continuity archive takes a capsule out of use while a server has the store open', async () => {
  const reason = ['--reason', 'the release is out'];
  const tried = (await archive(...reason, '--dry-run')).envelope().data;
  expect(tried).toMatchObject({ effect: 'would_update', commit: null });
  const { data } = (await archive(...reason)).envelope();
  const archived = String(data['archive_path']);
  expect(data).toMatchObject({ effect: 'updated' });
  expect(data['commit']).toMatch(/^[0-9a-f]{40}$/);
  const held = await of.capsules.held(OWNER, { kind: 'thread', id: 'store' });
  expect([held.active, [...held.archives.keys()]]).toEqual([null, [archived]]);
  // the server goes on
  await of.upsert({ updated_at: new Date(NOW).toISOString() });
  const args = ['continuity', 'compare', '--continuity', of.root, ...OF, '--against', archived];
  expect((await vade(args, tempFolder())).envelope().data).toMatchObject({ changed_fields: ['updated_at'] });
});

test('a capsule that is not there is not found', async () => {
  const none = ['--owner', OWNER, '--kind', 'user', '--subject', 'nobody', '--reason', 'gone'];
  expect((await vade(['continuity', 'archive', '--continuity', of.root, ...none], tempFolder())).code).toBe(5);
});
