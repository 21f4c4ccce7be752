import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { query } from '../../server/audit/postgres-place.ts';
import { describePostgres } from '../../support/postgres-programs.ts';
import { startCluster } from '../../support/postgres.ts';
import { accountsOf } from '../audit/audit-rows.ts';
import { faultyPlace } from './fault-server.ts';
import { outage } from './outage.ts';

const DOWN_MS = 2000;

async function tokensAt(url: string): Promise<string[]> {
  const rows = await query(url, "SELECT audit_token FROM entries WHERE type = 'recall' ORDER BY seq");
  return rows.map((it) => String(it['audit_token']));
}

/** Without a pause the load takes all that two cores have, and leaves what waited little to be stored with. */
const LOADS = [
  { how: 'fast', pauseMs: 0 },
  { how: 'immediate', pauseMs: 50 },
] as const;

describePostgres('PostgreSQL', () => {
  test.each(LOADS)('stopped ($how) under load, and started again', async ({ how, pauseMs }) => {
    const cluster = await startCluster({ fsync: true });
    const url = await cluster.database();
    const place = await faultyPlace();
    const server = await place.start('--audit', url);
    const what = `PostgreSQL stopped (${how}) for 2 s, ${pauseMs === 0 ? 'full load' : `pauses of ${pauseMs} ms`}`;
    const { answers, drained } = await outage({ what, server, pauseMs }, async () => {
      await cluster.stop(how);
      await sleep(DOWN_MS);
      await cluster.start();
    });
    await server.stop();
    await place.verify('--audit', url);
    if (pauseMs > 0) expect(drained).toBe(true);
    const accounts = accountsOf(await tokensAt(url), answers);
    expect(accounts).toMatchObject({ missing: 0, doubled: 0, unaudited: 0, unheard: 0 });
  });
});
