import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { accountsOf, tokensIn } from '../audit/audit-rows.ts';
import { report } from '../measure.ts';
import { beginLoad, spreadBetween } from '../serve/load.ts';
import { caughtUp, scrape } from '../serve/scrape.ts';
import { faultyPlace } from './fault-server.ts';
import { outage } from './outage.ts';

/** Most that any file of the server may have once its disk is full, and that all of its spool may. */
const FILE_BYTES = 256 * 1024;
const SPOOL_MIB = '1';
const WARNED = 2000;
const PATIENCE = { timeout: 60_000, interval: 20 };

/** From now on no file of this process grows beyond so much; Node takes no harm from the signal. */
function fillDisk(pid: number): void {
  const { status, stderr } = spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${FILE_BYTES}:`], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

test('a full disk: recalls are answered, and every row that is not kept is told and counted', async () => {
  const place = await faultyPlace();
  const server = await place.start('--spool', SPOOL_MIB);
  const load = beginLoad(server.load);
  await vi.waitUntil(() => load.answers.length > 500, PATIENCE);
  const [before, filled] = [load.answers[0]?.from ?? 0, performance.now()];
  fillDisk(server.pid);
  await vi.waitUntil(() => load.answers.filter((it) => it.isUnaudited).length >= WARNED, PATIENCE);
  await load.end();
  const figures = await scrape(server);
  await server.stop('SIGKILL');
  const next = await place.start();
  await caughtUp(next);
  await next.stop();
  await place.verify();
  const accounts = accountsOf(tokensIn(join(place.repo, 'audit.db')), load.answers);
  const [usual, full] = [
    spreadBetween(load.answers, before, filled),
    spreadBetween(load.answers, filled, performance.now()),
  ];
  const told = server
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":50')).length;
  const counted = figures.get('vade_audit_lost_rows_total');
  report('disk full under load: answers, failed ones', `${full.count}, ${load.failures.length}`, '0 failed');
  report('  answers that said audit_write_failed', String(accounts.unaudited), '');
  report('  rows lost, rows counted as lost', `${accounts.lost}, ${String(counted)}`, 'the same');
  report('  lines in the log of errors', String(told), '');
  report('  rows in the spool when it was killed', String(figures.get('vade_audit_spooled_rows')), '');
  report('  acknowledged rows, missing after a restart', `${accounts.acknowledged}, ${accounts.missing}`, '0 missing');
  report('  p99, disk full / before', `${full.p99.toFixed(1)} / ${usual.p99.toFixed(1)} ms`, '');
  expect(load.failures).toEqual([]);
  expect(accounts).toMatchObject({ missing: 0, doubled: 0 });
  expect(counted).toBe(accounts.lost);
  expect(accounts.lost).toBeGreaterThan(0);
});

test('a database that is locked for two seconds holds no recall up, and loses no row', async () => {
  const place = await faultyPlace();
  const server = await place.start();
  const file = join(place.repo, 'audit.db');
  const { answers, drained } = await outage({ what: 'database locked for 2 s', server }, async () => {
    const db = new Database(file);
    db.exec('BEGIN IMMEDIATE');
    await sleep(2000);
    db.close();
  });
  await server.stop();
  await place.verify();
  expect(drained).toBe(true);
  expect(accountsOf(tokensIn(file), answers)).toMatchObject({ missing: 0, doubled: 0, unaudited: 0, unheard: 0 });
});
