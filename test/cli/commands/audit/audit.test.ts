import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { openAudit } from '../../../../server/audit/open.ts';
import { settled } from '../../../server/audit-file.ts';
import { auditPlace, type AuditPlace } from '../../../server/audit/audit-place.ts';
import { record } from '../../../server/audit/records.ts';
import { tempFolder } from '../../../support/folder.ts';
import { repository } from '../../../support/repository.ts';
import { newSigner } from '../../../support/staff.ts';

let folder: string;
let audit: string;
let place: AuditPlace;

beforeEach(async () => {
  place = await auditPlace();
  ({ folder, audit } = place);
});

describe('vade audit verify', () => {
  test('vade audit verify reports what verifies, and whose key it used', async () => {
    const ran = await place.run('verify');
    expect(ran.code).toBe(0);
    expect(ran.envelope().data).toEqual({
      ...{ writers: 1, entries: 5, erased: 0, checkpoints: 1, retired: 0, unsigned: 0, keys: 'beside' },
      ...{ serial: 7, witnessed: 1, rollback_memory: 'missing' },
    });
  });

  test('vade audit verify trusts only the key of --checkpoint-key', async () => {
    copyFileSync(`${audit}.checkpoint.pub`, join(folder, 'pinned.pub'));
    const pinned = await place.run('verify', '--checkpoint-key', 'pinned.pub');
    expect(pinned.envelope().data).toMatchObject({ keys: 'pinned', checkpoints: 1 });
    writeFileSync(join(folder, 'other.pub'), newSigner().publicPem);
    const other = await place.run('verify', '--checkpoint-key', 'other.pub');
    expect([other.code, other.envelope().error.context]).toMatchObject([7, { problem: 'checkpoint_unproven', n: 5 }]);
  });

  test('vade audit verify names the first wrong row, and exits 7', async () => {
    place.tampered("UPDATE entries SET body = REPLACE(body, 'wrap-up', 'wrap-it') WHERE n = 3");
    const ran = await place.run('verify');
    expect(ran.code).toBe(7);
    const { code, context } = ran.envelope().error;
    expect(code.toLowerCase()).toBe('audit_unverified');
    expect(context).toMatchObject({ n: 3, problem: 'hash_differs' });
  });

  test('vade audit verify works while a server writes', async () => {
    const log = await place.opened();
    await log.append(record(10));
    await settled(audit);
    const ran = await place.run('verify');
    expect(ran.envelope().data).toMatchObject({ writers: 2, entries: 7, unsigned: 2 });
    await log.end();
  });

  test('vade audit verify of a missing audit creates no file', async () => {
    expect((await place.run('verify', '--audit', 'none.db')).code).toBe(5);
    expect(existsSync(join(folder, 'none.db'))).toBe(false);
  });

  test.each([
    ['nonsense', 'audit_unverified'],
    ['', 'output_failed'],
  ])('vade audit verify refuses a file that contains %j as %s', async (text, code) => {
    writeFileSync(join(folder, 'other.db'), text);
    copyFileSync(`${audit}.checkpoint.pub`, join(folder, 'other.db.checkpoint.pub'));
    const ran = await place.run('verify', '--audit', 'other.db');
    expect(ran.envelope().error.code.toLowerCase()).toBe(code);
  });

  test('vade audit verify without any key exits 3', async () => {
    copyFileSync(audit, join(folder, 'copy.db'));
    expect((await place.run('verify', '--audit', 'copy.db')).code).toBe(3);
  });
});

describe('vade audit backup', () => {
  test('vade audit backup copies while a server writes, and the copy verifies by itself', async () => {
    const log = await place.opened();
    await log.append(record(10));
    await settled(audit);
    const ran = await place.run('backup', '--out', 'copy.db');
    expect(ran.envelope().data).toMatchObject({ effect: 'created', entries: 7 });
    await log.append(record(11));
    await log.end();
    expect(statSync(join(folder, 'copy.db')).mode & 0o777).toBe(0o600);
    const verified = await place.run('verify', '--audit', 'copy.db', '--checkpoint-key', 'audit.db.checkpoint.pub');
    expect(verified.envelope().data).toMatchObject({ entries: 7 });
  });

  test('vade audit backup warns of a copy in a working tree that git does not ignore', async () => {
    const ran = await place.run('backup', '--out', join(repository().path, 'copy.db'));
    expect(ran.envelope().warnings.map(({ code }) => code)).toContain('PRIVATE_FILE_UNIGNORED');
  });

  test('vade audit backup overwrites nothing', async () => {
    writeFileSync(join(folder, 'copy.db'), 'mine');
    expect((await place.run('backup', '--out', 'copy.db')).code).toBe(6);
    expect(readFileSync(join(folder, 'copy.db'), 'utf8')).toBe('mine');
  });

  test('vade audit backup leaves no copy of an audit that does not verify', async () => {
    place.tampered('DELETE FROM entries WHERE n = 2');
    expect((await place.run('backup', '--out', 'copy.db')).code).toBe(7);
    expect(existsSync(join(folder, 'copy.db'))).toBe(false);
  });
});

describe('an audit in another format', () => {
  test('an audit of another version or layout, and a file of another kind, are refused and left unchanged', async () => {
    for (const sql of [
      'PRAGMA user_version = 99',
      'CREATE TABLE invoices (id TEXT)',
      'CREATE TABLE recalls (id TEXT)',
    ]) {
      const path = join(tempFolder(), 'other.db');
      const db = new Database(path);
      db.exec(sql);
      db.close();
      const before = readFileSync(path);
      await expect(openAudit({ audit: path, now: Date.now }, pino({ level: 'silent' }))).rejects.toMatchObject({
        code: 'output_failed',
      });
      expect(readFileSync(path)).toEqual(before);
    }
  });
});

describe('the keys beside the audit', () => {
  test('only the owner can read the keys beside the audit; a second key is added to the public ones, and the first stays trusted', async () => {
    expect(statSync(`${audit}.checkpoint.pem`).mode & 0o777).toBe(0o600);
    writeFileSync(`${audit}.checkpoint.pem`, '');
    await place.kept([7], Date.now());
    expect(readFileSync(`${audit}.checkpoint.pub`, 'utf8').match(/BEGIN PUBLIC KEY/g)).toHaveLength(2);
    expect((await place.run('verify')).envelope().data).toMatchObject({ writers: 2, checkpoints: 2 });
  });

  test('VADE_CHECKPOINT_KEY replaces the key file, and an invalid key is refused', async () => {
    const other = join(tempFolder(), 'audit.db');
    await expect(
      openAudit({ audit: other, now: Date.now, checkpointKey: 'nonsense' }, pino({ level: 'silent' })),
    ).rejects.toMatchObject({ code: 'signing_key_required' });
    expect(existsSync(`${other}.checkpoint.pem`)).toBe(false);
  });
});
