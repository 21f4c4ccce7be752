import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { openAudit } from '../../server/auditing.ts';
import type { AuditLog } from '../../server/store/auditlog.ts';
import { vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { closing, record, START } from './records.ts';

const DAY = 24 * 60 * 60 * 1000;
let folder: string;
let audit: string;

beforeEach(async () => {
  folder = tempFolder();
  audit = join(folder, 'audit.db');
  await kept([1, 2, 3], START);
});

function opened(now = Date.now()): Promise<AuditLog> {
  return openAudit({ audit, now: () => now }, pino({ level: 'silent' }));
}

/** What one server keeps of recalls that were made at some time. */
async function kept(numbers: readonly number[], at: number): Promise<void> {
  const log = await opened(at);
  for (const i of numbers) await log.append(record(i, { intent: `secret ${i}`, created_at: at }));
  await log.close(closing(numbers[0] ?? 0, { closed_at: at }));
  await log.end();
}

const run = (...args: string[]) => vade(['audit', ...args], folder);
const tampered = (sql: string) => {
  const db = new Database(audit);
  db.exec(`DROP TRIGGER entries_keep; DROP TRIGGER entries_stay; ${sql}`);
  db.close();
};
const intents = () => {
  const db = new Database(audit, { readonly: true });
  const texts = db.prepare('SELECT text FROM intents ORDER BY text').pluck().all();
  db.close();
  return texts;
};

describe('vade audit retain', () => {
  beforeEach(() => kept([4, 5], Date.now() - DAY));

  test('drops what is older, and the rest still verifies', async () => {
    const now = Date.now();
    const days = Math.max(1, Math.floor((now - START) / DAY) - 1);
    const age = START < now ? `${days}d` : '1d';
    await kept([6], START < now ? now : now - 90 * DAY);
    const dry = await run('retain', '--older-than', age, '--dry-run');
    const done = await run('retain', '--older-than', age, '--yes');
    expect(dry.envelope().data).toEqual({ ...done.envelope().data, effect: 'would_update' });
    expect(done.envelope().data['effect']).toBe('updated');
    const verified = await run('verify');
    expect(verified.envelope().data).toMatchObject({ retired: done.envelope().data['entries'] });
    expect((await run('retain', '--older-than', age, '--yes')).envelope().data).toMatchObject({ effect: 'noop' });
  });

  test('changes nothing without --yes', async () => {
    expect((await run('retain', '--older-than', '1d')).code).toBe(3);
    expect((await run('verify')).envelope().data).toMatchObject({ retired: 0 });
  });

  test('leaves an audit that does not hold as it is', async () => {
    tampered('UPDATE entries SET created_at = 1 WHERE n = 2');
    expect((await run('retain', '--older-than', '1d', '--yes')).code).toBe(7);
  });

  test.each(['0d', '90', 'd', '-1d', '1.5d', '90 days'])('does not know the age %j', async (age) => {
    expect((await run('retain', `--older-than=${age}`, '--yes')).code).toBe(3);
  });
});

describe('vade audit erase', () => {
  test('takes the intents, from the file’s bytes too; the chain holds', async () => {
    const ran = await run('erase', '--token', 'audi_2', '--yes');
    expect(ran.envelope().data).toEqual({ effect: 'updated', intents: 1 });
    expect(intents()).toEqual(['secret 1', 'secret 3']);
    for (const file of [audit, `${audit}-wal`]) {
      if (existsSync(file)) expect(readFileSync(file).includes('secret 2')).toBe(false);
    }
    expect((await run('verify')).envelope().data).toMatchObject({ entries: 5, erased: 1 });
    expect((await run('erase', '--token', 'audi_2', '--yes')).envelope().data).toMatchObject({ effect: 'noop' });
  });

  test('asks whose, and for --yes; --dry-run counts', async () => {
    expect((await run('erase', '--yes')).code).toBe(3);
    expect((await run('erase', '--agent', 'cto-id')).code).toBe(3);
    expect((await run('erase', '--before', 'yesterday', '--yes')).code).toBe(3);
    const dry = await run('erase', '--before', '2099-01-01', '--dry-run');
    expect(dry.envelope().data).toEqual({ effect: 'would_update', intents: 3 });
    expect(intents()).toHaveLength(3);
  });

  test('warns where there is nothing of the agent that was named', async () => {
    const ran = await run('erase', '--agent', 'cto', '--yes');
    expect(ran.envelope().data).toMatchObject({ effect: 'noop', intents: 0 });
    expect(ran.envelope().warnings.map((it) => it.code)).toEqual(['NOTHING_TO_ERASE']);
  });

  test('warns of rows that are still in the spool', async () => {
    const db = new Database(audit);
    const log = await opened();
    await log.append(record(10));
    db.exec('BEGIN EXCLUSIVE');
    await log.append(record(11));
    await log.end();
    db.close();
    const ran = await run('erase', '--agent', 'cto-id', '--yes');
    expect(ran.envelope().warnings.map((it) => it.code)).toEqual(['AUDIT_SPOOLED']);
  });
});
