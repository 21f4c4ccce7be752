import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  CreateScheduleRequest,
  UpdateScheduleRequest,
} from '../../../../compiler/continuity/schema/schedule/requests.ts';
import { openScheduleWriter } from '../../../../server/continuity/schedule/schedule-writer.ts';
import { ownerPlaceOf } from '../../../../server/continuity/store/place.ts';
import { NOW } from '../../../continuity/capsules.ts';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { OF, place } from './capsules.ts';

async function written(): Promise<string> {
  const { root, capsules, upsert } = place();
  await upsert();
  await capsules.end();
  return root;
}

test('vade continuity purge asks for --yes, counts in a dry run, erases, and does not find it again', async () => {
  const root = await written();
  const purge = (...more: string[]) =>
    vade(['continuity', 'purge', '--continuity', root, ...OF, ...more], tempFolder());
  expect((await purge()).envelope().error).toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
  const counted = { commits: 1, versions: 2, unreadable: 0, handoffs: 0, items: 0, backups: [] };
  expect((await purge('--dry-run')).envelope().data).toEqual({ effect: 'would_update', ...counted });
  expect((await purge('--yes')).envelope().data).toEqual({ effect: 'updated', ...counted });
  expect((await purge('--yes')).code).toBe(5);
});

test('vade continuity purge of a store that the system does not let it open is unavailable', async () => {
  const root = await written();
  const present = join(root, 'default.present');
  rmSync(present, { force: true });
  mkdirSync(present);
  const ran = await vade(['continuity', 'purge', '--continuity', root, ...OF, '--yes'], tempFolder());
  expect([ran.code, ran.envelope().error.code]).toEqual([12, 'CONTINUITY_UNAVAILABLE']);
});

test('vade continuity purge erases every item of the schedule that names the subject, or did, and no other', async () => {
  const root = await written();
  const writer = openScheduleWriter(ownerPlaceOf(root, 'default').schedule);
  const create = (title: string, of: object) => {
    const request = CreateScheduleRequest.parse({ kind: 'reminder', title, due_at: '2026-11-24T12:00:00Z', ...of });
    return writer.change({ verb: 'create', request }, { now: NOW, actor: 'x' });
  };
  create('names it', { subject_kind: 'thread', subject_id: 'store' });
  create('is of its thread', { thread_id: 'store' });
  create('is of a task', { task_id: 'store' });
  const { item } = create('named it', { subject_kind: 'thread', subject_id: 'store' });
  const request = UpdateScheduleRequest.parse({ expected_version: 1, subject_kind: 'user', subject_id: 'jane' });
  writer.change({ verb: 'update', schedule_id: item.schedule_id, request }, { now: NOW, actor: 'x' });
  create('is of another', { subject_kind: 'user', subject_id: 'store' });
  create('is of nothing', {});
  writer.end();
  const purge = (flag: string) => vade(['continuity', 'purge', '--continuity', root, ...OF, flag], tempFolder());
  expect((await purge('--dry-run')).envelope().data['items']).toBe(3);
  expect((await purge('--yes')).envelope().data['items']).toBe(3);
  const bytes = readFileSync(ownerPlaceOf(root, 'default').schedule).toString('latin1');
  const isLeft = ['names it', 'named it', 'is of its thread', 'is of a task', 'is of another', 'is of nothing'].map(
    (it) => bytes.includes(it),
  );
  expect(isLeft).toEqual([false, false, false, true, true, true]);
});

test('vade continuity purge says which backups still have the subject', async () => {
  const root = await written();
  const [backup, other] = [join(tempFolder(), 'backup'), tempFolder()];
  cpSync(root, backup, { recursive: true });
  const args = ['continuity', 'purge', '--continuity', root, ...OF, '--backup', backup, '--backup', other, '--yes'];
  expect((await vade(args, tempFolder())).envelope().data).toMatchObject({ effect: 'updated', backups: [backup] });
});

test.each(['../default', 'nobody'])('vade continuity purge finds no store of %s, and makes none', async (owner) => {
  const root = join(tempFolder(), 'capsules');
  mkdirSync(root);
  const args = [
    'continuity',
    'purge',
    '--continuity',
    root,
    '--kind',
    'user',
    '--subject',
    'x',
    '--owner',
    owner,
    '--yes',
  ];
  expect((await vade(args, tempFolder())).code).toBeGreaterThan(2);
});
