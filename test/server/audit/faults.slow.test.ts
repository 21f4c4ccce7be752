import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { verifyAudit } from '../../../server/audit/maintenance.ts';
import { openAudit } from '../../../server/audit/open.ts';
import type { AuditLog } from '../../../server/audit/records/log.ts';
import { tempFolder } from '../../support/folder.ts';
import { record, START } from './records.ts';

const WRITER = fileURLToPath(new URL('writing.mjs', import.meta.url));
const LIMITED = 'trap "" XFSZ; ulimit -f "$1"; shift; exec "$@"';

interface Child {
  /** The ids that were acknowledged so far. */
  readonly acknowledged: () => string[];
  readonly refused: () => string[];
  readonly kill: () => void;
  readonly ended: Promise<number | null>;
}

/** Starts a process that writes; `kilobytes` limits the size of each of its files. */
function writer(audit: string, name: string, count: number, kilobytes?: number): Child {
  const results = join(tempFolder(), name);
  const given = [process.execPath, WRITER, audit, name, String(count), String(START), results];
  const [command = '', ...args] =
    kilobytes === undefined ? given : ['bash', '-c', LIMITED, 'bash', String(kilobytes), ...given];
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const lines = () => (existsSync(results) ? readFileSync(results, 'utf8').split('\n').slice(0, -1) : []);
  return {
    acknowledged: () => lines().filter((it) => !it.startsWith('!')),
    refused: () => lines().filter((it) => it.startsWith('!')),
    kill: () => child.kill('SIGKILL'),
    ended: new Promise((resolve) => child.on('close', resolve)),
  };
}

function opened(audit: string, now: () => number = () => START): Promise<AuditLog> {
  return openAudit({ audit, now }, pino({ level: 'silent' }));
}

/** All stored ids, with duplicates, once the spool is empty. */
async function settledIds(audit: string): Promise<string[]> {
  const log = await opened(audit);
  await expect.poll(() => log.health().spooled, { timeout: 20_000 }).toBe(0);
  await log.end();
  return idsIn(audit);
}

function idsIn(audit: string): string[] {
  const db = new Database(audit, { readonly: true });
  const ids = db
    .prepare("SELECT substr(audit_token, 6) FROM entries WHERE type = 'recall' ORDER BY seq")
    .pluck()
    .all() as string[];
  db.close();
  return ids;
}

function expectAll(stored: readonly string[], acknowledged: readonly string[]): void {
  const unique = new Set(stored);
  expect(acknowledged.filter((id) => !unique.has(id))).toEqual([]);
  expect(unique.size).toBe(stored.length);
}

describe('an acknowledged row and kill -9', () => {
  test(
    'an acknowledged row survives kill -9, in the store or in the spool, 20 times; the chains verify',
    { timeout: 240_000 },
    async () => {
      const audit = join(tempFolder(), 'audit.db');
      const acknowledged: string[] = [];
      for (let round = 0; round < 20; round++) {
        const child = writer(audit, `r${round}`, 1_000_000);
        await expect.poll(() => child.acknowledged().length, { timeout: 30_000 }).toBeGreaterThan(round);
        // in every second round the file is locked when it dies, so that rows are in the spool
        const db = new Database(audit);
        if (round % 2 === 1) {
          db.exec('BEGIN IMMEDIATE');
          const before = child.acknowledged().length;
          await expect.poll(() => child.acknowledged().length, { timeout: 30_000 }).toBeGreaterThan(before + 200);
        }
        child.kill();
        await child.ended;
        db.close();
        acknowledged.push(...child.acknowledged());
      }
      const stored = await settledIds(audit);
      expectAll(stored, acknowledged);
      const tally = await verifyAudit({ audit, state: audit }, { pinned: null });
      expect(tally.unsigned).toBe(0);
      expect(tally.entries - tally.writers).toBe(stored.length);
    },
  );
});

describe('a limit of the file size, as on a full disk', () => {
  test('if a file must not grow, every row is acknowledged or refused, and every acknowledged row is stored', async () => {
    const audit = join(tempFolder(), 'audit.db');
    const child = writer(audit, 'full', 16_000, 600);
    expect(await child.ended).toBe(0);
    expect(child.acknowledged().length + child.refused().length).toBe(16_000);
    expect(child.refused().length).toBeGreaterThan(0);
    expect(statSync(audit).size).toBeLessThanOrEqual(600 * 1024);
    const stored = await settledIds(audit);
    expectAll(stored, child.acknowledged());
    expect(stored.length).toBe(child.acknowledged().length);
    expect((await verifyAudit({ audit, state: audit }, { pinned: null })).entries).toBeGreaterThan(stored.length);
  });
});

describe('a database that is locked', () => {
  test('a database that is locked while a hundred rows are appended loses no row', async () => {
    const audit = join(tempFolder(), 'audit.db');
    const log = await opened(audit);
    await log.append(record(0));
    const db = new Database(audit);
    db.exec('BEGIN IMMEDIATE');
    const unlocked = vi
      .waitUntil(() => log.health().spooled >= 100, { timeout: 60_000, interval: 5 })
      .finally(() => db.close());
    let next = 1;
    const client = async () => {
      while (db.open) {
        await log.append(record(next++));
        await sleep(1);
      }
    };
    await Promise.all([unlocked, ...Array.from({ length: 16 }, client)]);
    expect(log.health().lost).toBe(0);
    await log.end();
    const stored = await settledIds(audit);
    expect(stored.length).toBe(next);
    await verifyAudit({ audit, state: audit }, { pinned: null });
  });
});

describe('a clock that steps back', () => {
  test('a clock that steps back does not change the order of entries, and the chain verifies', async () => {
    const audit = join(tempFolder(), 'audit.db');
    let at = START;
    const log = await opened(audit, () => at);
    for (let i = 1; i <= 5; i++) {
      at -= 3_600_000;
      await log.append(record(i, { created_at: at }));
    }
    const listed = await log.list('cto-id', 10, Number.MAX_SAFE_INTEGER);
    expect(listed.map((it) => it.intent)).toEqual([5, 4, 3, 2, 1].map((i) => `intent ${i}`));
    await log.end();
    expect((await verifyAudit({ audit, state: audit }, { pinned: null })).entries).toBe(6);
  });
});
