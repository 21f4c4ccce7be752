import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { openAudit } from '../../../../server/audit/open.ts';
import { postgresPlace, query } from '../../../server/audit/postgres-place.ts';
import { record } from '../../../server/audit/records.ts';
import { vade, type Ran } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { describePostgres } from '../../../support/postgres-programs.ts';
import { startCluster, type Cluster } from '../../../support/postgres.ts';
import { failure } from '../../failing.ts';

let cluster: Cluster;
let url: string;
let state: string;

/** Runs `vade audit` on the database, and checks that the output never contains the password. */
async function audit(...args: string[]): Promise<Ran> {
  const ran = await vade(['audit', ...args, '--audit', url, '--state', state], dirname(state));
  expect(ran.stdout + ran.stderr).not.toContain(new URL(url).password);
  return ran;
}

describePostgres('DESIGN §8: vade audit on PostgreSQL', () => {
  beforeAll(async () => {
    cluster = await startCluster();
  });
  beforeEach(async () => {
    url = await cluster.database();
    state = join(tempFolder(), 'audit');
    const log = await openAudit({ audit: url, state, now: Date.now }, pino({ level: 'silent' }));
    for (let i = 1; i <= 5; i++) await log.append(record(i, { created_at: Date.now() }));
    await log.end();
  });

  test('vade audit verify proves the chains in PostgreSQL', async () => {
    const ran = await audit('verify');
    expect(ran.envelope().data).toMatchObject({ writers: 1, entries: 6, checkpoints: 1, unsigned: 0, keys: 'beside' });
  });

  test('vade audit verify finds what an owner of the database changed', async () => {
    await postgresPlace(cluster, url).tamper("UPDATE entries SET body = REPLACE(body, 'wrap-up', 'wrap-it')");
    expect(failure(await audit('verify'))).toEqual([7, 'AUDIT_UNVERIFIED']);
  });

  test('vade audit erase removes the texts of intents in PostgreSQL, and the rest verifies', async () => {
    const ran = await audit('erase', '--token', 'audi_2', '--yes');
    expect(ran.envelope().data).toEqual({ effect: 'updated', intents: 1 });
    expect((await audit('verify')).envelope().data).toMatchObject({ entries: 6, erased: 1 });
    const left = await query(url, 'SELECT count(*)::int AS n FROM intents');
    expect(left).toEqual([{ n: 4 }]);
  });

  test('vade audit retain deletes whole segments that are old enough, and the rest verifies', async () => {
    const young = await audit('retain', '--older-than', '1d', '--dry-run');
    expect(young.envelope().data).toMatchObject({ effect: 'would_noop', entries: 0 });
    const old = record(1, { audit_token: 'audi_old', created_at: 1 });
    const first = await openAudit({ audit: url, state, now: () => 1 }, pino({ level: 'silent' }));
    await first.append(old);
    await first.end();
    const dropped = await audit('retain', '--older-than', '1d', '--yes');
    expect(dropped.envelope().data).toMatchObject({ effect: 'updated', entries: 2 });
    expect((await audit('verify')).envelope().data).toMatchObject({ entries: 6, retired: 2 });
  });

  test('vade audit backup is refused for PostgreSQL, and names the command that makes a backup', async () => {
    const ran = await audit('backup', '--out', 'copy.db');
    expect(failure(ran)).toEqual([3, 'ARGUMENT_INVALID']);
    expect(ran.stdout).toContain('pg_dump');
  });
});
