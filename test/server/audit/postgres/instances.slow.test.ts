import { Client } from 'pg';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { monthOf } from '../../../../server/audit/postgres/months.ts';
import { closingEntry, recallEntry } from '../../../../server/audit/records/entry.ts';
import { chained } from '../../../../server/audit/records/hash-chain.ts';
import { NAMED, refTo } from '../../../../server/audit/records/names.ts';
import type { Databases } from '../../../support/postgres-cluster.ts';
import { describePostgres } from '../../../support/postgres-programs.ts';
import { sharedCluster } from '../../../support/postgres.ts';
import { options, verified, writing, type Place } from '../harness.ts';
import { postgresPlace, query } from '../postgres-place.ts';
import { closing, record } from '../records.ts';

const recalls = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => recallEntry(record(from + i), 'full'));
const closings = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => closingEntry(closing(from + i)));

let cluster: Databases;
let url: string;
let place: Place;

/** A connection that acts as another instance. */
async function asOther<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(cluster.asAdmin(url));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Resolves once a connection waits for a lock. */
async function untilLockWait(client: Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query('SELECT FROM pg_locks WHERE NOT granted');
    if ((rowCount ?? 0) > 0) return;
  }
}

describePostgres('PostgreSQL: several instances write one audit', () => {
  beforeAll(async () => {
    cluster = await sharedCluster();
  });
  beforeEach(async () => {
    url = await cluster.database();
    place = postgresPlace(cluster, url);
  });

  test('instances that start together create the tables once', async () => {
    const writers = Array.from({ length: 8 }, (_, i) => `w${i}`);
    const stores = await Promise.all(writers.map((writer) => place.open(options(writer))));
    await Promise.all(stores.map((store, i) => store.append(recalls(i * 10, i * 10 + 9))));
    await Promise.all(stores.map((store) => store.end()));
    const { failure, tally } = await verified(place);
    expect([failure, tally.writers, tally.entries]).toEqual([null, 8, 88]);
  });

  test('an append waits for an entry that another instance is committing, and skips it', async () => {
    const opening = await writing(place, 'other', (store) => store.append([]));
    const store = await place.open(options('a'));
    const [twin] = recalls(1, 1);
    const head = chained(opening, twin!);
    const mine = await asOther(async (other) => {
      await other.query('INSERT INTO names (name) SELECT unnest($1::text[])', [NAMED.map((it) => twin![it])]);
      await other.query('BEGIN');
      await other.query(
        `INSERT INTO entries (month, writer, n, type, id, ${NAMED.join(', ')}, audit_token, created_at, body, hash)
         SELECT $5, ${refTo("'other'")}, 2, 'recall', '', ${NAMED.map((_, i) => refTo(`($6::text[])[${i + 1}]`)).join(', ')},
         $1, $2, $3, decode($4, 'hex')`,
        [twin!.audit_token, twin!.created_at, twin!.body, head.hash, monthOf(twin!), NAMED.map((it) => twin![it])],
      );
      const appended = store.append(recalls(1, 3));
      await asOther(untilLockWait);
      await other.query('COMMIT');
      return appended;
    });
    await store.end();
    // the opening, and the two entries that the other instance does not have
    expect(mine.n).toBe(3);
    const { failure, tally } = await verified(place);
    expect([failure, tally.entries]).toEqual([null, 2 + 3]);
  });

  test('two instances that append the same closings in opposite orders do not deadlock, and each closing is stored once', async () => {
    const [a, b] = await Promise.all([place.open(options('a')), place.open(options('b'))]);
    for (let i = 0; i < 200; i += 20) {
      const given = closings(i, i + 19);
      await Promise.all([a.append(given), b.append(given.toReversed())]);
    }
    await Promise.all([a.end(), b.end()]);
    const { failure, tally } = await verified(place);
    expect([failure, tally.entries]).toEqual([null, 2 + 200]);
  });

  test('overlapping appends of one writer form one chain', async () => {
    await writing(place, 'a', async (store) => {
      const heads = await Promise.all([0, 1, 2, 3, 4].map((i) => store.append(recalls(i * 10, i * 10 + 9))));
      expect(heads.map((it) => it.n)).toEqual([11, 21, 31, 41, 51]);
    });
    expect((await verified(place)).failure).toBeNull();
  });

  test('a connection that breaks leaves a complete batch or none, and a batch that is sent again is stored once', async () => {
    const store = await place.open(options('a'));
    const others = "datname = current_database() AND application_name = 'vade'";
    const terminateAll = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`;
    let cut = 0;
    await asOther(async (admin) => {
      for (let i = 0; i < 300; i += 10) {
        const given = recalls(i, i + 9);
        const before = cut;
        await Promise.allSettled([store.append(given).catch(() => (cut += 1)), admin.query(terminateAll)]);
        if (cut > before) await store.append(given);
      }
    });
    await store.end();
    expect(cut).toBeGreaterThan(0);
    const { failure, tally } = await verified(place);
    expect([failure, tally.entries]).toEqual([null, 301]);
  });

  test('a locked table makes every call fail, and an append succeeds after the lock', async () => {
    await writing(place, 'a', async (store) => {
      await store.append(recalls(1, 1));
      await asOther(async (other) => {
        await other.query('BEGIN; LOCK TABLE entries IN ACCESS EXCLUSIVE MODE');
        const calls = [store.append(recalls(2, 2)), store.isClosed('audi_1'), store.list('cto-id', 1, 1000)];
        const outcomes = await Promise.allSettled(calls);
        expect(outcomes.map((it) => it.status)).toEqual(['rejected', 'rejected', 'rejected']);
        await other.query('ROLLBACK');
      });
      expect((await store.append(recalls(2, 2))).n).toBe(3);
    });
  });

  test('the error of an append does not contain the rows', async () => {
    await writing(place, 'a', async (store) => {
      await query(cluster.asAdmin(url), "ALTER TABLE intents ADD CHECK (text <> 'my secret')");
      const failed: unknown = await store.append([recallEntry(record(1, { intent: 'my secret' }), 'full')]).then(
        () => null,
        (error: unknown) => error,
      );
      expect(failed).toBeInstanceOf(Error);
      const { message, stack, ...more } = failed as Error;
      expect(`${message} ${String(stack)} ${JSON.stringify(more)}`).not.toContain('my secret');
    });
  });
});
