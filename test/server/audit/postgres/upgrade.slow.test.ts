import { encodeTime } from 'ulid';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { capsuleEntry, closingEntry, recallEntry } from '../../../../server/audit/records/entry.ts';
import type { Databases } from '../../../support/postgres-cluster.ts';
import { describePostgres } from '../../../support/postgres-programs.ts';
import { sharedCluster } from '../../../support/postgres.ts';
import { expectRefused, keeping, options, verified, written, writing, type Place } from '../harness.ts';
import { postgresPlace, query } from '../postgres-place.ts';
import { CAPSULE_CALL, closing, record } from '../records.ts';
import { earlierSchema } from './earlier-schema.ts';

let cluster: Databases;
let url: string;
let place: Place;

const versions = async () =>
  (await place.sql('SELECT version FROM vade_audit ORDER BY version')).map((it) => Number(it['version']));

/** Every row of entries and intents, without what only this version has. */
const rowsOf = async () => [
  await place.sql(
    'SELECT seq, writer, n, type, id, agent_id, audit_token, created_at, body, hash FROM entries ORDER BY seq',
  ),
  await place.sql('SELECT id, salt, text, raw FROM intents ORDER BY id'),
];

/** A token of the last second of a month, and the closing that came in the next one. */
const LATE = Date.UTC(2027, 0, 31, 23, 59, 59);
const LATE_TOKEN = `audi_${encodeTime(LATE)}000000000000000A_aaaaaaaaaaaaaaaaaaaaaa`;

describePostgres.each([3, 4])('PostgreSQL: an audit of version %d', (version) => {
  beforeAll(async () => {
    cluster = await sharedCluster();
  });
  beforeEach(async () => {
    url = await cluster.database();
    place = postgresPlace(cluster, url);
    await written(place, 'before', 1, 5);
    await writing(place, 'before', (store) =>
      store.append([closingEntry(closing(2)), recallEntry(record(9, { intent: 'a\0b' }), 'full')]),
    );
    await place.tamper(earlierSchema(version));
  });

  test('is upgraded by the first instance that opens it for writing, and keeps its rows and their places', async () => {
    const rows = await rowsOf();
    await writing(place, 'after', (store) => store.append([]));
    const [entries, intents] = await rowsOf();
    expect([entries?.slice(0, rows[0]?.length), intents]).toEqual(rows);
    expect(await versions()).toEqual([version, 5]);
    await writing(place, 'later', (store) => store.append([capsuleEntry(CAPSULE_CALL), closingEntry(closing(3))]));
    const { failure, tally } = await verified(place);
    expect([failure, tally.writers, tally.entries]).toEqual([null, 3, 12]);
    expect(await writing(place, 'more', (store) => store.isClosed('audi_2'))).toBe(true);
    await expectRefused(place, 'DELETE FROM entries');
    await expectRefused(place, 'DELETE FROM entries_2027_01');
    await expectRefused(place, 'DELETE FROM vade_audit');
  });

  test('is upgraded once by instances that start together', async () => {
    const stores = await Promise.all(['a', 'b', 'c', 'd'].map((writer) => place.open(options(writer))));
    await Promise.all(stores.map((store) => store.append([])));
    await Promise.all(stores.map((store) => store.end()));
    expect(await versions()).toEqual([version, 5]);
    expect((await verified(place)).failure).toBeNull();
  });

  test('is verified as it is, and not upgraded by who only reads', async () => {
    const before = await keeping(place, 'read', (ledger) =>
      ledger.answers({ agent: null, since: 0, until: 2e12 }, 0, 99),
    );
    expect(before.map((it) => it.closing !== null)).toEqual([false, true, false, false, false, false]);
    expect((await verified(place)).failure).toBeNull();
    expect(await versions()).toEqual([version]);
  });

  test('is refused where the role may not alter its tables; a later version is refused', async () => {
    await query(cluster.asAdmin(url), 'ALTER TABLE entries OWNER TO CURRENT_USER');
    await expect(place.open(options('poor'))).rejects.toThrow(/owner of its tables/);
    expect(await versions()).toEqual([version]);
    await place.tamper('INSERT INTO vade_audit VALUES (6)');
    await expect(place.open(options('late'))).rejects.toThrow(/version 6/);
  });

  test('leaves the rights of other roles as they were', async () => {
    const role = `reader_${new URL(url).pathname.slice(1)}`;
    await query(
      cluster.asAdmin(url),
      `CREATE ROLE ${role}; GRANT SELECT ON entries TO ${role}; GRANT INSERT ON intents TO PUBLIC`,
    );
    await writing(place, 'after', (store) => store.append([]));
    const may = await place.sql(
      `SELECT has_table_privilege('${role}', 'entries', 'SELECT') AS read, has_table_privilege('${role}', 'entries', 'INSERT') AS write,
       has_table_privilege('${role}', 'intents', 'INSERT') AS add`,
    );
    expect(may).toEqual([{ read: true, write: false, add: true }]);
  });
});

describePostgres('PostgreSQL: an audit of version 4 at the end of a month', () => {
  test('has a closing of the next month in the month of its recall', async () => {
    cluster = await sharedCluster();
    url = await cluster.database();
    place = postgresPlace(cluster, url);
    await writing(place, 'before', (store) =>
      store.append([
        recallEntry(record(1, { audit_token: LATE_TOKEN, created_at: LATE }), 'full'),
        closingEntry(closing(1, { audit_token: LATE_TOKEN, closed_at: LATE + 60_000 })),
      ]),
    );
    const months = "SELECT DISTINCT month FROM entries WHERE type <> 'opening'";
    expect(await place.sql(months)).toEqual([{ month: 202_701 }]);
    await place.tamper(earlierSchema(4));
    await writing(place, 'after', (store) => store.append([]));
    expect(await place.sql(months)).toEqual([{ month: 202_701 }]);
    expect((await verified(place)).failure).toBeNull();
  });
});
