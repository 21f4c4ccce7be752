import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { pino } from 'pino';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { signerFromPem } from '../../../../compiler/trust/dsse.ts';
import { newSigningKey } from '../../../../compiler/trust/root-chain.ts';
import { envelopeVerifierOf } from '../../../../server/audit/chain/keys.ts';
import { verifyLedger } from '../../../../server/audit/chain/verify-chain.ts';
import { openAudit } from '../../../../server/audit/open.ts';
import type { AuditLog } from '../../../../server/audit/records/log.ts';
import { tempFolder } from '../../../support/folder.ts';
import { describePostgres } from '../../../support/postgres-programs.ts';
import { startCluster, type Cluster } from '../../../support/postgres.ts';
import { keeping, type Place } from '../harness.ts';
import { postgresPlace } from '../postgres-place.ts';
import { closing, record } from '../records.ts';

const PAGE = 1_000_000;
const checkpointKey = newSigningKey();
const verifyEnvelope = envelopeVerifierOf(signerFromPem(checkpointKey).publicPem);

let cluster: Cluster;
let url: string;
let place: Place;
let state: string;
let logged: string[];

/** The audit as a server opens it, with its journal and spool. */
const opened = (): Promise<AuditLog> =>
  openAudit(
    { audit: url, state, checkpointKey, now: Date.now },
    pino({ base: null }, { write: (line) => void logged.push(line) }),
  );

async function appendAll(audit: AuditLog, from: number, to: number): Promise<void> {
  for (let i = from; i <= to; i++) await audit.append(record(i));
}

/** Resolves once the spool is empty. */
async function caughtUp(audit: AuditLog): Promise<void> {
  await expect
    .poll(() => audit.health(), { timeout: 30_000, interval: 20 })
    .toMatchObject({ up: true, spooled: 0, lag_ms: 0 });
}

/** The stored intents of the agent, oldest first; every chain verifies. */
async function storedIntents(): Promise<string[]> {
  const { failure } = await keeping(place, 'read', (ledger) => verifyLedger(ledger, verifyEnvelope));
  expect(failure).toBeNull();
  const store = await place.open({ writer: `reader-${String(logged.length)}`, intents: 'full', openedAt: 0 });
  const listed = await store.list('cto-id', PAGE, Number.MAX_SAFE_INTEGER);
  await store.end();
  return listed.map((it) => it.intent).reverse();
}

const intents = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `intent ${from + i}`);

describePostgres('PostgreSQL: outages of the store', () => {
  beforeAll(async () => {
    cluster = await startCluster({ fsync: true });
  });
  beforeEach(async () => {
    url = await cluster.database();
    place = postgresPlace(cluster, url);
    state = join(tempFolder(), 'audit');
    logged = [];
  });

  test('while PostgreSQL is stopped, rows wait on disk; then they are stored in order, without loss or duplicates', async () => {
    const audit = await opened();
    await appendAll(audit, 1, 30);
    await caughtUp(audit);
    await cluster.stop();
    await appendAll(audit, 31, 60);
    await audit.close(closing(2));
    expect(audit.health()).toMatchObject({ up: false, spooled: 31, lost: 0 });
    await expect(audit.isClosed('audi_1')).rejects.toThrow();
    await expect(audit.list('cto-id', 1, PAGE)).rejects.toThrow();
    await cluster.start();
    await caughtUp(audit);
    await appendAll(audit, 61, 62);
    expect(await audit.isClosed('audi_2')).toBe(true);
    await audit.end();
    expect(await storedIntents()).toEqual(intents(1, 62));
  });

  test('an outage writes two log lines, without the password', async () => {
    const audit = await opened();
    await cluster.stop();
    await appendAll(audit, 1, 20);
    await cluster.start();
    await caughtUp(audit);
    await audit.end();
    const messages = logged.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages).toEqual(['the audit store fails; rows wait in the spool', 'the audit store accepts rows again']);
    expect(logged.join('')).not.toContain(new URL(url).password);
  });

  test('if PostgreSQL is killed under load three times, every acknowledged row is stored once', async () => {
    const audit = await opened();
    const acknowledged: string[] = [];
    let done = false;
    const writers = [1, 2, 3, 4].map(async (w) => {
      for (let i = 100_000 * w; !done; i++) {
        await audit.append(record(i));
        acknowledged.push(`intent ${i}`);
        await setTimeout(1);
      }
    });
    for (let i = 0; i < 3; i++) {
      const before = acknowledged.length;
      await vi.waitUntil(() => acknowledged.length > before + 20, { timeout: 30_000, interval: 5 });
      await cluster.stop('immediate');
      await cluster.start();
    }
    done = true;
    await Promise.all(writers);
    await caughtUp(audit);
    expect(audit.health().lost).toBe(0);
    await audit.end();
    const found = await storedIntents();
    expect(found.toSorted()).toEqual(acknowledged.toSorted());
    expect(new Set(found).size).toBe(found.length);
  });

  test('rows wait on disk while the table is locked', async () => {
    const audit = await opened();
    await appendAll(audit, 1, 1);
    await caughtUp(audit);
    const other = new Client(cluster.asAdmin(url));
    await other.connect();
    try {
      await other.query('BEGIN; LOCK TABLE entries IN ACCESS EXCLUSIVE MODE');
      await Promise.all([2, 3, 4].map((i) => audit.append(record(i))));
      expect(audit.health()).toMatchObject({ spooled: 3, lost: 0 });
    } finally {
      // closing the connection releases the lock
      await other.end();
    }
    await caughtUp(audit);
    await audit.end();
    expect((await storedIntents()).toSorted()).toEqual(intents(1, 4));
  });
});
