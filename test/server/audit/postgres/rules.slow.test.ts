import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { closingEntry, recallEntry } from '../../../../server/audit/records/entry.ts';
import { tempFolder } from '../../../support/folder.ts';
import type { Databases } from '../../../support/postgres-cluster.ts';
import { describePostgres, postgresPrograms } from '../../../support/postgres-programs.ts';
import { sharedCluster } from '../../../support/postgres.ts';
import {
  expectRefused,
  verificationFailure,
  keeping,
  options,
  verified,
  writing,
  written,
  type Place,
} from '../harness.ts';
import { postgresPlace, query } from '../postgres-place.ts';
import { closing, record } from '../records.ts';

let cluster: Databases;
let url: string;
let place: Place;

const nameOf = (it: string) => new URL(it).pathname.slice(1);

describePostgres('PostgreSQL: insert-only for every connection', () => {
  beforeAll(async () => {
    cluster = await sharedCluster();
  });
  beforeEach(async () => {
    url = await cluster.database();
    place = postgresPlace(cluster, url);
    await written(place, 'a', 1, 5);
  });

  test.each(['entries', 'intents', 'documents', 'checkpoints', 'retired', 'entries, intents, checkpoints'])(
    'TRUNCATE %s is refused',
    async (tables) => {
      await expectRefused(place, `TRUNCATE ${tables}`);
      expect(await verificationFailure(place)).toBeNull();
    },
  );

  test('a session in the replica role cannot delete entries', async () => {
    const admin = postgresPlace(cluster, cluster.asAdmin(url));
    await expectRefused(admin, 'SET session_replication_role = replica; DELETE FROM entries');
    expect(await verificationFailure(place)).toBeNull();
  });

  test('a table of the same name earlier in the search_path does not allow deleting entries', async () => {
    const client = new Client(url);
    await client.connect();
    await client.query("CREATE TEMP TABLE retired AS SELECT 'a'::text AS writer, 99::bigint AS n");
    await expect(client.query('DELETE FROM entries')).rejects.toThrow('append only');
    await client.end();
  });

  test('a server works with SELECT and INSERT rights once the tables exist', async () => {
    const name = `writer_${nameOf(url)}`;
    await query(
      cluster.asAdmin(url),
      `CREATE ROLE ${name} LOGIN PASSWORD 'x'; GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO ${name}`,
    );
    const asWriter = postgresPlace(cluster, url.replace(/\/\/vade:[^@]*@/, `//${name}:x@`));
    await written(asWriter, 'b', 6, 9);
    await writing(asWriter, 'c', (store) => store.append([closingEntry(closing(6))]));
    await expectRefused(asWriter, 'DELETE FROM intents');
    await expect(keeping(asWriter, 'write', (ledger) => ledger.erase({ agent: 'cto-id' }))).rejects.toThrow();
    expect((await verified(asWriter)).tally).toMatchObject({ writers: 3, entries: 13 });
  });

  test('the views show characters that PostgreSQL cannot store as U+FFFD, and the rest of the row unchanged', async () => {
    const strange = 'a\0b\0\0c \\u0000 \ud83e\udeb4 \ud800';
    const given = record(20, { heartbeat_id: strange, intent: strange, request: JSON.stringify({ hint: strange }) });
    await writing(place, 'b', (store) =>
      store.append([
        recallEntry(given, 'full'),
        closingEntry(closing(20, { used_chunks: [strange], missed_chunks: ['ok'] })),
      ]),
    );
    const shown = 'a\ufffdb\ufffd\ufffdc \\u0000 \ud83e\udeb4 \ufffd';
    const [row] = await place.sql(`SELECT * FROM instruction_audit WHERE audit_token = 'audi_20'`);
    expect(row).toMatchObject({ heartbeat_id: shown, intent: shown, missed_chunks: '["ok"]' });
    expect(JSON.parse(String(row?.['used_chunks']))).toEqual([shown]);
    expect(await verificationFailure(place)).toBeNull();
  });

  test('the newest sessions of an agent are found by an index, as §21.7 requires', async () => {
    const client = new Client(url);
    await client.connect();
    // the planner would choose this for a larger audit; this one fits on a page
    await client.query('SET enable_seqscan = off; SET enable_sort = off');
    const { rows: plan } = await client.query(
      "EXPLAIN SELECT * FROM instruction_audit WHERE agent_id = 'x' ORDER BY session_start DESC LIMIT 9",
    );
    await client.end();
    // each month has its part of entries_session
    expect(JSON.stringify(plan)).toContain('audit_name_coalesce_idx');
    expect(JSON.stringify(plan)).not.toContain('Sort ');
  });

  test('a copy made by pg_dump verifies, and is insert-only too', async () => {
    const copy = await cluster.database();
    const file = join(tempFolder(), 'audit.sql');
    const run = (program: string, args: string[]) =>
      execFileSync(join(postgresPrograms(), program), args, { stdio: ['ignore', 'ignore', 'pipe'] });
    run('pg_dump', ['--no-owner', `--file=${file}`, url]);
    run('psql', ['--set=ON_ERROR_STOP=1', '--quiet', `--file=${file}`, copy]);
    const copied = postgresPlace(cluster, copy);
    expect(await verified(copied)).toEqual(await verified(place));
    await expectRefused(copied, 'DELETE FROM entries');
    await written(copied, 'b', 6, 9);
    expect((await verified(copied)).tally).toMatchObject({ writers: 2, entries: 11 });
  });

  test('an audit can have a schema of its own in a database with other tables', async () => {
    const shared = await cluster.database();
    await query(shared, 'CREATE TABLE invoices (id int); CREATE SCHEMA audit');
    const own = postgresPlace(cluster, `${shared}&options=${encodeURIComponent('-c search_path=audit')}`);
    await written(own, 'a', 1, 2);
    expect((await verified(own)).tally).toMatchObject({ entries: 3 });
    const tables = await query(shared, "SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'");
    expect(tables).toEqual([{ n: 1 }]);
  });

  test('a writer whose entries were all retired continues its chain', async () => {
    const store = await place.open(options('b'));
    const head = await store.append([recallEntry(record(30), 'full')]);
    await keeping(place, 'write', async (ledger) => {
      const at = { ...head, at: 1, envelope: '{}' };
      await ledger.checkpoint(at);
      expect(await ledger.retire([at])).toBe(2);
    });
    expect((await store.append([recallEntry(record(31), 'full')])).n).toBe(3);
    await store.end();
  });
});
