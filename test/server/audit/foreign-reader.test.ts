import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openAudit } from '../../../server/audit/open.ts';
import { serveMcp } from '../../../server/stdio.ts';
import { capsuleOf, NOW } from '../../continuity/capsules.ts';
import { tempFolder } from '../../support/folder.ts';
import { locksOn } from '../../support/locks.ts';
import { describeIfThere } from '../../support/loudly.ts';
import { storedRows } from '../audit-file.ts';
import { serving } from '../continuity/serving.ts';
import { compiledPeers, CTO_ID } from '../deployment.ts';
import { START } from './records.ts';

const SQLITE = createRequire(import.meta.url).resolve('better-sqlite3');

/**
 * Another program: it opens a file as SQLite does by default, reads it, and closes it. The shell of SQLite, where it is
 * installed, is mostly older: from 3.51 on SQLite deletes no log while another process has its index of the log open.
 */
function foreignRead(path: string): void {
  if (spawnSync('sqlite3', [path, 'SELECT count(*) FROM sqlite_schema']).status === 0) return;
  const program = `const db = new (require(process.argv[1]))(process.argv[2]);
    db.prepare('SELECT count(*) FROM sqlite_schema').get(); db.close();`;
  execFileSync(process.execPath, ['-e', program, SQLITE, path]);
}

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino ?? null;

/** Lets another program read a file, whose locks and write-ahead log have to stay. */
function expectUntouched(path: string): void {
  const [locks, log] = [locksOn(path), inodeOf(`${path}-wal`)];
  expect(locks).toBeGreaterThan(0);
  foreignRead(path);
  expect(locksOn(path)).toBeGreaterThanOrEqual(locks);
  expect(inodeOf(`${path}-wal`)).toBe(log);
}

describeIfThere(
  existsSync('/proc/locks'),
  'databases that other programs read',
  'this system has no /proc/locks',
)('another program reads a database and closes it', () => {
  test('a server keeps its audit, its index of capsules and its presence', async () => {
    const server = await serving(undefined, { now: () => NOW });
    const subject = { subject_kind: 'thread', subject_id: 'x' };
    await server.post('cto', 'upsert', { ...subject, capsule: capsuleOf(subject) });
    await server.post('cto', 'read', subject);
    const path = `/v1/agents/${CTO_ID}/audit?limit=1`;
    expect((await server.ask('admin', 'GET', path)).status).toBe(200);
    expectUntouched(server.audit);
    expectUntouched(join(server.folder, `${CTO_ID}.db`));
    expectUntouched(join(server.folder, `${CTO_ID}.present`));
  });

  test('MCP over two streams keeps its audit', async () => {
    const peers = await compiledPeers();
    const audit = join(tempFolder(), 'audit.db');
    const server = await serveMcp({
      ...{
        agent: CTO_ID,
        folder: tempFolder(),
        audit,
        auditKey: undefined,
        bundle: peers.bundle,
        pinned: peers.trust.root,
      },
      ...{ models: join(tempFolder(), 'models'), pollMs: 60_000, failStale: false, now: Date.now },
      ...{ input: new PassThrough(), output: new PassThrough(), log: pino({ level: 'silent' }) },
    });
    onTestFinished(server.close);
    expectUntouched(audit);
  });
});

test('§21.5 every acknowledged row survives kill -9 after another program has read the audit', async () => {
  const audit = join(tempFolder(), 'audit.db');
  const results = join(tempFolder(), 'results');
  const program = fileURLToPath(new URL('writing.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, audit, 'one', '1000000', String(START), results]);
  const ended = new Promise((resolve) => child.on('close', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  const acknowledged = () =>
    (existsSync(results) ? readFileSync(results, 'utf8').split('\n').slice(0, -1) : []).filter((it) => it[0] !== '!');
  const more = (count: number) => {
    const before = acknowledged().length;
    return vi.waitUntil(() => acknowledged().length >= before + count, { timeout: 30_000, interval: 5 });
  };
  await more(20);
  foreignRead(audit);
  await more(200);
  child.kill('SIGKILL');
  await ended;
  const log = await openAudit({ audit, now: () => START }, pino({ level: 'silent' }));
  await vi.waitUntil(() => log.health().spooled === 0, { timeout: 20_000, interval: 5 });
  await log.end();
  const stored = new Set(storedRows(audit, 'recalls').map((it) => String(it['audit_token']).slice(5)));
  expect(acknowledged().filter((id) => !stored.has(id))).toEqual([]);
});
