import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openContinuity } from '../../../../server/continuity/open.ts';
import { capsuleOf, upsertOf } from '../../../continuity/capsules.ts';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const OF = ['--owner', 'default', '--kind', 'thread', '--subject', 'store'];

async function written(): Promise<string> {
  const root = join(tempFolder(), 'capsules');
  const capsules = openContinuity({ root, archiveDays: 90 }, pino({ level: 'silent' }));
  const request = upsertOf(capsuleOf());
  const subject = { kind: 'thread', id: 'store' };
  await capsules.mutate('default', { subject, verb: 'upsert', request, now: NOW, author: 'x', key: null });
  await capsules.end();
  return root;
}

test('vade continuity purge asks for --yes, counts in a dry run, erases, and does not find it again', async () => {
  const root = await written();
  const purge = (...more: string[]) =>
    vade(['continuity', 'purge', '--continuity', root, ...OF, ...more], tempFolder());
  expect((await purge()).envelope().error).toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
  const counted = { commits: 1, versions: 2, unreadable: 0, handoffs: 0, backups: [] };
  expect((await purge('--dry-run')).envelope().data).toEqual({ effect: 'would_update', ...counted });
  expect((await purge('--yes')).envelope().data).toEqual({ effect: 'updated', ...counted });
  expect((await purge('--yes')).code).toBe(5);
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
