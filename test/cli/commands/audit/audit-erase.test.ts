import { existsSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { auditPlace, type AuditPlace } from '../../../server/audit/audit-place.ts';
import { record, START } from '../../../server/audit/records.ts';

const DAY = 24 * 60 * 60 * 1000;
let audit: string;
let place: AuditPlace;

beforeEach(async () => {
  place = await auditPlace();
  ({ audit } = place);
});

const intents = () => {
  const db = new Database(audit, { readonly: true });
  const texts = db.prepare('SELECT text FROM intents ORDER BY text').pluck().all();
  db.close();
  return texts;
};

describe('vade audit retain', () => {
  beforeEach(() => place.kept([4, 5], Date.now() - DAY));

  test('vade audit retain deletes old entries, and the rest still verifies', async () => {
    const now = Date.now();
    const days = Math.max(1, Math.floor((now - START) / DAY) - 1);
    const age = START < now ? `${days}d` : '1d';
    await place.kept([6], START < now ? now : now - 90 * DAY);
    const dry = await place.run('retain', '--older-than', age, '--dry-run');
    const done = await place.run('retain', '--older-than', age, '--yes');
    expect(dry.envelope().data).toEqual({ ...done.envelope().data, effect: 'would_update' });
    expect(done.envelope().data['effect']).toBe('updated');
    const verified = await place.run('verify');
    expect(verified.envelope().data).toMatchObject({ retired: done.envelope().data['entries'] });
    expect((await place.run('retain', '--older-than', age, '--yes')).envelope().data).toMatchObject({ effect: 'noop' });
  });

  test('vade audit retain changes nothing without --yes', async () => {
    expect((await place.run('retain', '--older-than', '1d')).code).toBe(3);
    expect((await place.run('verify')).envelope().data).toMatchObject({ retired: 0 });
  });

  test('vade audit retain leaves an audit that does not verify unchanged', async () => {
    place.tampered('UPDATE entries SET created_at = 1 WHERE n = 2');
    expect((await place.run('retain', '--older-than', '1d', '--yes')).code).toBe(7);
  });

  test.each(['0d', '90', 'd', '-1d', '1.5d', '90 days'])('vade audit retain refuses the age %j', async (age) => {
    expect((await place.run('retain', `--older-than=${age}`, '--yes')).code).toBe(3);
  });
});

describe('vade audit erase', () => {
  test('vade audit erase removes intents, also from the bytes of the file, and the chain verifies', async () => {
    const ran = await place.run('erase', '--token', 'audi_2', '--yes');
    expect(ran.envelope().data).toEqual({ effect: 'updated', intents: 1 });
    expect(intents()).toEqual(['secret 1', 'secret 3']);
    for (const file of [audit, `${audit}-wal`]) {
      if (existsSync(file)) expect(readFileSync(file).includes('secret 2')).toBe(false);
    }
    expect((await place.run('verify')).envelope().data).toMatchObject({ entries: 5, erased: 1 });
    expect((await place.run('erase', '--token', 'audi_2', '--yes')).envelope().data).toMatchObject({ effect: 'noop' });
  });

  test('vade audit erase requires a filter and --yes, and --dry-run counts', async () => {
    expect((await place.run('erase', '--yes')).code).toBe(3);
    expect((await place.run('erase', '--agent', 'cto-id')).code).toBe(3);
    expect((await place.run('erase', '--before', 'yesterday', '--yes')).code).toBe(3);
    const dry = await place.run('erase', '--before', '2099-01-01', '--dry-run');
    expect(dry.envelope().data).toEqual({ effect: 'would_update', intents: 3 });
    expect(intents()).toHaveLength(3);
  });

  test('vade audit erase warns if it finds no intent of the named agent', async () => {
    const ran = await place.run('erase', '--agent', 'cto', '--yes');
    expect(ran.envelope().data).toMatchObject({ effect: 'noop', intents: 0 });
    expect(ran.envelope().warnings.map((it) => it.code)).toEqual(['NOTHING_TO_ERASE']);
  });

  test('vade audit erase warns of rows that are still in the spool', async () => {
    const db = new Database(audit);
    const log = await place.opened();
    await log.append(record(10));
    db.exec('BEGIN EXCLUSIVE');
    await log.append(record(11));
    await log.end();
    db.close();
    const ran = await place.run('erase', '--agent', 'cto-id', '--yes');
    expect(ran.envelope().warnings.map((it) => it.code)).toEqual(['AUDIT_SPOOLED']);
  });
});
