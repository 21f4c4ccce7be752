import { join } from 'node:path';
import { pino } from 'pino';
import { encodeTime } from 'ulid';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { signPoint } from '../../../../server/audit/chain/checkpointer.ts';
import { retirable, retireSegments } from '../../../../server/audit/chain/retention.ts';
import { openAudit } from '../../../../server/audit/open.ts';
import { openPostgresLedger } from '../../../../server/audit/postgres/ledger.ts';
import { closingEntry, recallEntry } from '../../../../server/audit/records/entry.ts';
import type { AuditStore, NewEntry } from '../../../../server/audit/records/store.ts';
import { tempFolder } from '../../../support/folder.ts';
import type { Databases } from '../../../support/postgres-cluster.ts';
import { describePostgres } from '../../../support/postgres-programs.ts';
import { sharedCluster } from '../../../support/postgres.ts';
import {
  expectRefused,
  keeping,
  options,
  sign,
  verificationFailure,
  verified,
  written,
  writing,
  type Place,
} from '../harness.ts';
import { postgresPlace, query } from '../postgres-place.ts';
import { closing, record, START } from '../records.ts';

let cluster: Databases;
let url: string;
let place: Place;

const FEBRUARY = Date.UTC(2027, 1, 1);

const tokenOf = (at: number, i: number) =>
  `audi_${encodeTime(at)}${String(i).padStart(16, '0')}_aaaaaaaaaaaaaaaaaaaaaa`;

/** A recall at a time, with a token of that time. */
const recallAt = (at: number, i: number): NewEntry =>
  recallEntry(record(i, { audit_token: tokenOf(at, i), created_at: at }), 'full');

const closingAt = (at: number, i: number, closed_at: number): NewEntry =>
  closingEntry(closing(i, { audit_token: tokenOf(at, i), closed_at }));

const partitions = async () =>
  (
    await place.sql(
      "SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE c.relkind = 'r' ORDER BY 1",
    )
  ).map((it) => String(it['name']));

/** Appends entries, and signs the end of the chain. */
async function appendSigned(store: AuditStore, entries: readonly NewEntry[]): Promise<void> {
  await store.checkpoint(signPoint('checkpoint', await store.append(entries), START, sign));
}

/** Two months of one writer; a closing of the second one is for a recall of the first. */
const twoMonths = () =>
  writing(place, 'a', async (store) => {
    await appendSigned(store, [recallAt(FEBRUARY - 2000, 1), recallAt(FEBRUARY - 1000, 2)]);
    await appendSigned(store, [recallAt(FEBRUARY, 3), closingAt(FEBRUARY - 1000, 2, FEBRUARY + 1000)]);
    await appendSigned(store, [recallAt(FEBRUARY + 5000, 4)]);
  });

const retired = (before: number, ledger = place.ledger) =>
  keeping({ ...place, ledger }, 'write', async (it) => retireSegments(it, await retirable(it, before), sign, START));

beforeAll(async () => {
  cluster = await sharedCluster();
});
beforeEach(async () => {
  url = await cluster.database();
  place = postgresPlace(cluster, url);
});

describePostgres('PostgreSQL: a partition a month', () => {
  test('(month, token) is unique, and a closing is in the month of its recall', async () => {
    await twoMonths();
    expect(await partitions()).toEqual([
      ...['entries_2027_01', 'entries_2027_02', 'intents_2027_01', 'intents_2027_02'],
    ]);
    const inJanuary = await place.sql("SELECT type FROM entries_2027_01 WHERE type <> 'opening' ORDER BY seq");
    expect(inJanuary.map((it) => it['type'])).toEqual(['recall', 'recall', 'closing']);
    await writing(place, 'b', (store) =>
      store.append([closingAt(FEBRUARY - 1000, 2, FEBRUARY + 9000), recallAt(FEBRUARY, 3)]),
    );
    expect((await verified(place)).tally.entries).toBe(7);
    const copied =
      'SELECT month, writer, n + 50, type, id, agent_id, audit_token, created_at, body, hash FROM entries WHERE n = 2';
    const into = 'INSERT INTO entries (month, writer, n, type, id, agent_id, audit_token, created_at, body, hash)';
    await expectRefused(place, `${into} ${copied}`);
  });

  test('instances that add a month at the same time add it once; who may not insert adds none', async () => {
    const stores = await Promise.all(['a', 'b', 'c'].map((writer) => place.open(options(writer))));
    await Promise.all(stores.map((store, i) => store.append([recallAt(FEBRUARY, i + 1)])));
    await Promise.all(stores.map((store) => store.end()));
    expect(await verificationFailure(place)).toBeNull();
    const role = `reader_${new URL(url).pathname.slice(1)}`;
    await query(
      cluster.asAdmin(url),
      `CREATE ROLE ${role} LOGIN PASSWORD 'x'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`,
    );
    const asReader = url.replace(/\/\/vade:[^@]*@/, `//${role}:x@`);
    await expect(query(asReader, 'SELECT audit_add_month(203001)')).rejects.toThrow('no right to insert');
    for (const month of ['203013', '0', 'NULL', '1000001'])
      await expect(query(url, `SELECT audit_add_month(${month})`)).rejects.toThrow('no such month');
    expect(await partitions()).toHaveLength(4);
  });

  test.each([
    'TRUNCATE entries_2027_01',
    "UPDATE entries_2027_01 SET body = '{}'",
    'DELETE FROM entries_2027_01',
    'TRUNCATE intents_2027_01',
    "UPDATE intents_2027_01 SET text = ''",
  ])('one by itself is insert-only too: %s', async (statement) => {
    await twoMonths();
    await expectRefused(place, statement);
  });

  test('verification detects an entry that was moved to the partition of another month', async () => {
    await twoMonths();
    await place.tamper("UPDATE entries SET month = 202702 WHERE type = 'closing'");
    expect(await verificationFailure(place)).toMatchObject({ problem: 'column_differs' });
  });

  test('a question about some days reads the months around them alone, by an index', async () => {
    await twoMonths();
    await writing(place, 'c', (store) => store.append([recallAt(Date.UTC(2027, 7, 15), 9)]));
    const plan = await query(
      url,
      `SET enable_seqscan = off; EXPLAIN SELECT agent_id, COUNT(*), MAX(seq) FROM entries WHERE type = 'recall'
       AND agent_id = 1 AND created_at BETWEEN 1 AND 2 AND month BETWEEN 202707 AND 202709 GROUP BY 1`.split(';')[1] ??
        '',
    );
    expect(JSON.stringify(plan)).toContain('entries_2027_08');
    expect(JSON.stringify(plan)).not.toContain('entries_2027_01');
  });
});

describePostgres('PostgreSQL: retention by months', () => {
  test('drops the partitions of a month of which nothing remains; a late row of it makes them again', async () => {
    await twoMonths();
    expect(await retired(FEBRUARY + 2000)).toBe(5);
    expect(await partitions()).toEqual(['entries_2027_02', 'intents_2027_02']);
    expect(await verified(place)).toMatchObject({ failure: null, tally: { entries: 1, retired: 5 } });
    await writing(place, 'late', (store) => store.append([recallAt(FEBRUARY - 500, 8)]));
    expect(await partitions()).toContain('entries_2027_01');
    expect(await verificationFailure(place)).toBeNull();
  });

  test('a server that runs meanwhile stores a late row of a dropped month at the second attempt', async () => {
    await twoMonths();
    const store = await place.open(options('running'));
    await appendSigned(store, [recallAt(FEBRUARY - 900, 6)]);
    expect(await retired(FEBRUARY + 9000)).toBe(8);
    const late = [recallAt(FEBRUARY - 800, 7)];
    await store.append(late).catch(() => store.append(late));
    await store.end();
    expect(await verified(place)).toMatchObject({ failure: null, tally: { entries: 1, retired: 8 } });
  });

  test('keeps a month with rows that are not retired, and deletes the retired ones from it', async () => {
    await twoMonths();
    expect(await retired(FEBRUARY - 500)).toBe(3);
    expect(await partitions()).toHaveLength(4);
    expect(await verified(place)).toMatchObject({ failure: null, tally: { entries: 3, retired: 3 } });
  });

  test('by a role that may delete and does not own the tables, deletes the rows alone', async () => {
    await twoMonths();
    const role = `keeper_${new URL(url).pathname.slice(1)}`;
    await query(
      cluster.asAdmin(url),
      `CREATE ROLE ${role} LOGIN PASSWORD 'x'; GRANT SELECT, INSERT, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
    );
    const asKeeper = url.replace(/\/\/vade:[^@]*@/, `//${role}:x@`);
    expect(await retired(FEBRUARY + 2000, (mode) => openPostgresLedger(asKeeper, mode))).toBe(5);
    expect(await partitions()).toHaveLength(4);
    expect(await verificationFailure(place)).toBeNull();
  });
});

describePostgres('PostgreSQL: a read replica', () => {
  /** Another database with other rows stands for the replica, so that what is read shows where. */
  async function withReplica(replica: string, work: (store: AuditStore) => Promise<void>): Promise<void> {
    const store = await place.open({ ...options('own'), replica });
    await work(store);
    await store.end();
  }

  const READ = { agent: 'cto-id', since: 0, until: 2e12, cut: 0 };

  test('answers lists and reports, and takes no row', async () => {
    const replica = await cluster.database();
    await written(postgresPlace(cluster, replica), 'far', 1, 5);
    await withReplica(replica, async (store) => {
      await store.append([recallEntry(record(6), 'full'), closingEntry(closing(6))]);
      expect(await store.list('cto-id', 9, 1e9)).toHaveLength(5);
      expect((await store.days(READ)).map((it) => it.rows)).toEqual([5]);
      expect((await store.sums({ ...READ, entities: { 'cto-id': 'acme/agent/cto' } }))[0]?.rows).toBe(5);
      expect(await store.isClosed('audi_6')).toBe(true);
    });
    expect((await verified(postgresPlace(cluster, replica))).tally.entries).toBe(6);
  });

  test('is one of a database: an SQLite file has none', async () => {
    const given = { audit: join(tempFolder(), 'audit.db'), replica: url, now: () => START };
    await expect(openAudit(given, pino({ level: 'silent' }))).rejects.toMatchObject({ code: 'argument_invalid' });
    const malformed = { ...options('a'), replica: 'postgres://db' };
    await expect(place.open(malformed)).rejects.toMatchObject({ code: 'argument_invalid' });
  });

  test('that is away is no outage: the database itself is read', async () => {
    await withReplica('postgres://vade@127.0.0.1:1/none', async (store) => {
      await store.append([recallEntry(record(6), 'full')]);
      expect(await store.list('cto-id', 9, 1e9)).toHaveLength(1);
      expect((await store.days(READ)).map((it) => it.rows)).toEqual([1]);
      expect(await store.sums({ ...READ, entities: { 'cto-id': 'acme/agent/cto' } })).toHaveLength(1);
      await expect(store.days(READ, AbortSignal.abort())).rejects.toThrow();
    });
  });
});
