import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { verifyAudit } from '../../../server/audit/maintenance.ts';
import { accountsOf, tokensIn } from '../audit/audit-rows.ts';
import { report, spread } from '../measure.ts';
import { beginLoad, CONNECTIONS, type Told } from '../serve/load.ts';
import { caughtUp } from '../serve/scrape.ts';
import { faultyPlace } from './fault-server.ts';

const KILLS = 20;
/** Least number of answers before a kill. */
const ANSWERS = 300;
const PATIENCE = { timeout: 30_000, interval: 5 };

test('kill -9 under load, 20 times: every acknowledged row is there once, and the chains hold', async () => {
  const place = await faultyPlace();
  const audit = join(place.repo, 'audit.db');
  const answers: Told[] = [];
  const failures: string[] = [];
  const starts: number[] = [];
  for (let round = 0; round < KILLS; round++) {
    const from = performance.now();
    const server = await place.start();
    starts.push(performance.now() - from);
    const load = beginLoad(server.load);
    await vi.waitUntil(() => load.answers.length > ANSWERS, PATIENCE);
    // in every second round the file is locked when it dies, so that rows are in the spool
    const db = new Database(audit);
    if (round % 2 === 1) {
      db.exec('BEGIN IMMEDIATE');
      const before = load.answers.length;
      await vi.waitUntil(() => load.answers.length > before + ANSWERS, PATIENCE);
    }
    // not always in the same turn of a batch
    await sleep(7 * round);
    const ended = load.end();
    await Promise.all([server.stop('SIGKILL'), ended]);
    db.close();
    await verifyAudit({ audit, state: audit }, { pinned: null });
    answers.push(...load.answers);
    failures.push(...load.failures);
  }
  const last = await place.start();
  const figures = await caughtUp({ url: last.url, headers: last.headers });
  await last.stop();
  const entries = await place.verify();
  const accounts = accountsOf(tokensIn(audit), answers);
  report(`kill -9 under load, ${KILLS} times: acknowledged rows`, String(accounts.acknowledged), '');
  report('  missing, twice there', `${accounts.missing}, ${accounts.doubled}`, '0, 0');
  report('  rows whose answer was on its way when it died', String(accounts.unheard), `≤ ${CONNECTIONS} a kill`);
  report('  start to ready after a kill: median', `${spread(starts.slice(1)).median.toFixed(0)} ms`, '');
  report('  entries that vade audit verify went through', String(entries), 'the chains hold');
  expect(failures).toEqual([]);
  expect(accounts).toMatchObject({ missing: 0, doubled: 0, unaudited: 0 });
  expect(accounts.unheard).toBeLessThanOrEqual(CONNECTIONS * KILLS);
  expect(accounts.acknowledged).toBeGreaterThan(ANSWERS * KILLS);
  expect(figures.get('vade_audit_lost_rows_total')).toBe(0);
});
