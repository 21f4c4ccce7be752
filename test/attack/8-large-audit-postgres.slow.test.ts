import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresStore } from '../../server/audit/postgres/store.ts';
import { recallEntry } from '../../server/audit/records/entry.ts';
import { options } from '../server/audit/harness.ts';
import { query } from '../server/audit/postgres-place.ts';
import { record, START } from '../server/audit/records.ts';
import type { Databases } from '../support/postgres-cluster.ts';
import { describePostgres } from '../support/postgres-programs.ts';
import { sharedCluster } from '../support/postgres.ts';

const ASKED = { entities: { 'cto-id': 'acme/agent/cto' }, since: START, until: START + 86_400_000 };

describePostgres('audit figures whose caller has gone, on PostgreSQL', () => {
  let cluster: Databases;
  let url: string;
  let blocker: Client;

  beforeAll(async () => {
    cluster = await sharedCluster();
    url = await cluster.database();
    blocker = new Client(url);
    await blocker.connect();
  });

  afterAll(() => blocker.end());

  const working = async () =>
    (
      await query(
        url,
        "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%WITH answers AS%' AND pid <> pg_backend_pid()",
      )
    ).length;

  test('PostgreSQL cancels figures whose caller has gone, and the store keeps working', async () => {
    const store = await openPostgresStore(url, options('w1'));
    await store.append([recallEntry(record(1), 'full')]);
    // whoever holds the closings holds the figures up, for as long as this takes
    await blocker.query('BEGIN; LOCK TABLE entries IN ACCESS EXCLUSIVE MODE');
    const given = new AbortController();
    const figures = Promise.all([1, 2].map(() => store.sums(ASKED, given.signal).catch((error: unknown) => error)));
    const areWorking = (count: number) => expect.poll(() => working(), { timeout: 60_000 }).toBe(count);
    await areWorking(2);
    given.abort();
    for (const it of await figures) expect(it).toBeInstanceOf(Error);
    // the table is still locked, so they end by being cancelled or not at all
    await areWorking(0);
    await blocker.query('ROLLBACK');
    expect(await store.sums(ASKED)).toMatchObject([{ rows: 1 }]);
    await store.append([recallEntry(record(2), 'full')]);
    expect(await store.list('cto-id', 5, Number.MAX_SAFE_INTEGER)).toHaveLength(2);
    await store.end();
  });
});
