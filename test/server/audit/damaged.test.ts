import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../../server/audit/sqlite/store.ts';
import { tempFolder } from '../../support/folder.ts';
import { rows } from '../audit-file.ts';
import { damagePages } from '../damage.ts';
import { compiledPeers, CTO_ID } from '../deployment.ts';
import { running } from '../running.ts';
import { auditPlace } from './audit-place.ts';
import { options } from './harness.ts';

describe('an audit file that is damaged', () => {
  test.each([
    ['text', 'no database '.repeat(100), 'SQLITE_NOTADB'],
    ['a damaged header', `SQLite format 3\0${'x'.repeat(5000)}`, 'SQLITE_NOTADB'],
  ])('the words and the code of SQLite leave the thread that opens it: %s', async (_, bytes, code) => {
    const path = join(tempFolder(), 'audit.db');
    writeFileSync(path, bytes);
    const message = 'file is not a database';
    await expect(openSqliteStore(path, options('w_1'))).rejects.toMatchObject({ code, message });
  });

  test.each([
    ['verify', []],
    ['backup', ['--out', 'copy.db']],
    ['erase', ['--before', '2030-01-01', '--yes']],
  ])('audit %s says that it does not verify', async (command, args) => {
    const place = await auditPlace();
    damagePages(place.audit);
    const { code, envelope } = await place.run(command, '--audit', place.audit, ...args);
    expect(code).toBe(7);
    expect(envelope().error).toMatchObject({ code: 'AUDIT_UNVERIFIED', retryable: false });
  });

  test('a server does not start with it', async () => {
    const audit = join(tempFolder(), 'audit.db');
    writeFileSync(audit, 'no database');
    await expect(running({ ...(await compiledPeers()), audit })).rejects.toMatchObject({ code: 'audit_unverified' });
  });

  test('§21.8 who asks a running server is told that a retry does not help, and the log has the words of SQLite', async () => {
    const server = await running(await compiledPeers());
    await server.recall('cto', 'cto', { intent: 'hand over' });
    expect(await rows(server.audit, 'recalls')).toHaveLength(1);
    const db = new Database(server.audit);
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    damagePages(server.audit);
    const { status, code, json } = await server.ask('admin', 'GET', `/v1/agents/${CTO_ID}/audit`);
    expect([status, code]).toEqual([503, 'audit_unverified']);
    expect(json()['error']).toMatchObject({ retryable: false });
    expect(server.log).toContainEqual(
      expect.objectContaining({ msg: 'request failed', reason: expect.stringContaining('malformed') as string }),
    );
  });
});

test('§21.8 a write-ahead log that somebody deleted is told as an audit that cannot be read, with the cause in the log', async () => {
  const server = await running(await compiledPeers());
  await server.recall('cto', 'cto', { intent: 'hand over' });
  for (const end of ['-wal', '-shm']) rmSync(server.audit + end);
  const { status, code } = await server.ask('admin', 'GET', `/v1/agents/${CTO_ID}/audit`);
  expect([status, code]).toEqual([503, 'recall_backend_unavailable']);
  const { reason } = server.log.find((it) => it['msg'] === 'request failed') ?? {};
  expect(reason).toMatch(/unable to open|disk I\/O/);
});
