import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VadeError } from '../../../../compiler/schema/errors.ts';
import { openPostgresLedger } from '../../../../server/audit/postgres/ledger.ts';
import { openPostgresStore } from '../../../../server/audit/postgres/store.ts';
import { connectionUrl, isPostgresUrl, refuseBackup, shownUrl } from '../../../../server/audit/postgres/url.ts';
import { Unreachable } from '../../../../server/audit/records/reopening-store.ts';
import type { StoreOptions } from '../../../../server/audit/records/store.ts';
import type { Databases } from '../../../support/postgres-cluster.ts';
import { describePostgres } from '../../../support/postgres-programs.ts';
import { sharedCluster, startCluster, type Cluster } from '../../../support/postgres.ts';
import { query } from '../postgres-place.ts';

const SECRET = 'open-sesame-4711';
const OPTIONS: StoreOptions = { writer: 'w', intents: 'full', openedAt: 1 };

/** The code with which opening is refused, without the password; `for now` if a retry may succeed. */
async function refusal(url: string): Promise<string> {
  const thrown: unknown = await openPostgresStore(url, OPTIONS).then(
    async (store) => store.end(),
    (error: unknown) => error,
  );
  if (!(thrown instanceof VadeError)) throw new Error(`not refused: ${String(thrown)}`);
  const text = `${thrown.message} ${JSON.stringify(thrown.details)} ${thrown.stack ?? ''} ${String(thrown.cause)}`;
  expect(text).not.toContain(passwordOf(url));
  return thrown instanceof Unreachable ? `${thrown.code}, for now` : thrown.code;
}

function passwordOf(url: string): string {
  return /:\/\/[^:]*:([^@]*)@/.exec(url)?.[1] ?? SECRET;
}

describe('DESIGN §8: --audit names a PostgreSQL database by its URL', () => {
  test('postgres:// and postgresql:// name a database, and a path names a file', () => {
    expect(['postgres://a/b', 'postgresql://a/b', 'audit.db', 'postgres.db'].map(isPostgresUrl)).toEqual([
      ...[true, true, false, false],
    ]);
  });

  test.each([
    [`postgres://vade:${SECRET}@db.example:5433/audit?sslmode=verify-full`, 'postgres://vade@db.example:5433/audit'],
    [`postgresql://vade:${SECRET}@db/audit?application_name=x&password=${SECRET}`, 'postgres://vade@db/audit'],
    [`postgres://vade:${SECRET}@/audit?host=/run/pg`, 'postgres://vade@localhost/audit?host=%2Frun%2Fpg'],
    ['postgres://db/audit', 'postgres://db/audit'],
  ])('messages show %s without the password', (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });

  test.each([
    ['an unescaped slash in the password', `postgres://vade:1/${SECRET}@db/audit`],
    ['an unescaped hash in the password', `postgres://vade:1#${SECRET}@db/audit`],
    ['no database', `postgres://vade:${SECRET}@db`],
    ['a port that is none', `postgres://vade:${SECRET}@db:port/audit`],
  ])('%s is argument_invalid, and the error does not show the password', async (_, url) => {
    expect(await refusal(url)).toBe('argument_invalid');
  });

  test('a TLS mode verifies the certificate, unless verification is turned off explicitly', () => {
    const urls = ['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify', 'disable'].map((it) => `sslmode=${it}`);
    const modes = urls.map((it) => connectionUrl(`postgres://db/audit?${it}&x=1`).slice('postgres://db/audit?'.length));
    expect(modes).toEqual([
      ...Array.from({ length: 4 }, () => 'sslmode=verify-full&x=1'),
      ...['sslmode=no-verify&x=1', 'sslmode=disable&x=1'],
    ]);
    const asLibpq = 'postgres://db/audit?uselibpqcompat=true&sslmode=require';
    expect(connectionUrl(asLibpq)).toBe(asLibpq);
  });

  test('a backup is refused with the command that makes one, without the password', () => {
    const refused = () => refuseBackup(`postgres://vade:${SECRET}@db/audit`);
    expect(refused).toThrow(expect.objectContaining({ code: 'argument_invalid' }) as Error);
    expect(refused).toThrow("pg_dump --format=custom --file=audit.dump 'postgres://vade@db/audit'");
  });
});

describe('DESIGN §6.12: an unreachable audit is audit_unavailable or timed_out at the start', () => {
  let silent: Server;

  beforeAll(async () => {
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    silent.close();
  });

  test('a port without a listener is audit_unavailable', async () => {
    expect(await refusal(`postgres://vade:${SECRET}@127.0.0.1:1/audit`)).toBe('audit_unavailable, for now');
  });

  test('a host without an address is audit_unavailable', async () => {
    expect(await refusal(`postgres://vade:${SECRET}@no-such-host.invalid/audit`)).toBe('audit_unavailable, for now');
  });

  test('a missing socket is audit_unavailable', async () => {
    expect(await refusal(`postgres://vade:${SECRET}@/audit?host=/nowhere`)).toBe('audit_unavailable, for now');
  });

  test('a server that never responds is timed_out', async () => {
    const { port } = silent.address() as AddressInfo;
    expect(await refusal(`postgres://vade:${SECRET}@127.0.0.1:${port}/audit`)).toBe('timed_out, for now');
  });
});

describePostgres('a cluster with settings of old applications', () => {
  test('an audit opens where a backslash in a string begins an escape', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.database();
    const name = new URL(url).pathname.slice(1);
    await query(cluster.asAdmin(url), `ALTER DATABASE ${name} SET standard_conforming_strings = off`);
    const store = await openPostgresStore(url, OPTIONS);
    await store.end();
    await (await openPostgresLedger(url, 'read')).end();
  });
});

describePostgres('DESIGN §6.12: a database that is not for this audit is refused at the start', () => {
  let cluster: Databases;

  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  test('a wrong password is refused as credentials_refused', async () => {
    const url = await cluster.database();
    expect(await refusal(url.replace(passwordOf(url), SECRET))).toBe('credentials_refused');
  });

  test('a missing database is refused as output_failed', async () => {
    const url = await cluster.database();
    expect(await refusal(url.replace(/\/vade_\w+/, '/nowhere'))).toBe('output_failed');
  });

  test('a database with other tables is refused as output_failed, and not changed', async () => {
    const url = await cluster.database();
    await query(url, 'CREATE TABLE invoices (id int)');
    expect(await refusal(url)).toBe('output_failed');
    expect(await query(url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([
      { relname: 'invoices' },
    ]);
  });

  test('an audit of another version is refused as output_failed', async () => {
    const url = await cluster.database();
    await query(url, 'CREATE TABLE vade_audit (version int); INSERT INTO vade_audit VALUES (99)');
    expect(await refusal(url)).toBe('output_failed');
  });

  test('an audit of this version with other tables is refused as output_failed, and not changed', async () => {
    const url = await cluster.database();
    await (await openPostgresStore(url, OPTIONS)).end();
    await query(cluster.asAdmin(url), 'ALTER TABLE intents DROP COLUMN raw');
    const columns =
      "SELECT attname FROM pg_attribute WHERE attrelid = 'intents'::regclass AND attnum > 0 ORDER BY attnum";
    const before = await query(url, columns);
    await expect(openPostgresStore(url, OPTIONS)).rejects.toThrow(/another layout, without intents.raw: name a new/);
    for (const mode of ['read', 'write'] as const)
      await expect(openPostgresLedger(url, mode)).rejects.toMatchObject({ code: 'output_failed' });
    expect(await query(url, columns)).toEqual(before);
  });

  test('a database with an encoding other than UTF-8 is refused as output_failed', async () => {
    const url = await cluster.database();
    const latin = `${/\/(vade_\w+)/.exec(url)?.[1] ?? ''}_latin`;
    await query(cluster.asAdmin(url), `CREATE DATABASE ${latin} OWNER vade ENCODING 'LATIN1' TEMPLATE template0`);
    expect(await refusal(url.replace(latin.slice(0, -'_latin'.length), latin))).toBe('output_failed');
  });

  test('an empty database is refused as output_failed if the role cannot create tables', async () => {
    const url = await cluster.database();
    await query(cluster.asAdmin(url), 'ALTER DATABASE ' + new URL(url).pathname.slice(1) + ' OWNER TO admin');
    await query(cluster.asAdmin(url), 'REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    expect(await refusal(url)).toBe('output_failed');
  });

  test('opening an empty database for reading is refused as output_failed, and creates no tables', async () => {
    const url = await cluster.database();
    await expect(openPostgresLedger(url, 'read')).rejects.toMatchObject({ code: 'output_failed' });
    expect(await query(url, "SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([]);
  });
});

describePostgres('options of the connection in the URL', () => {
  let cluster: Cluster;
  const tls = async (more: string) => `${await cluster.database()}?sslmode=${more}`;

  beforeAll(async () => {
    cluster = await startCluster({ tls: true });
  });

  test('a certificate signed by the given authority is accepted', async () => {
    const store = await openPostgresStore(await tls(`require&sslrootcert=${cluster.certificate}`), OPTIONS);
    await store.end();
  });

  test('a certificate of another authority is refused, even in the mode `require`', async () => {
    expect(await refusal(await tls('require'))).toBe('output_failed');
  });

  test('a certificate with another host name is refused, except in the mode `no-verify`', async () => {
    const elsewhere = async (more: string) => (await tls(more)).replace('127.0.0.1', 'localhost');
    expect(await refusal(await elsewhere(`verify-full&sslrootcert=${cluster.certificate}`))).toBe('output_failed');
    const store = await openPostgresStore(await elsewhere('no-verify'), OPTIONS);
    await store.end();
  });

  test('connections have the application_name vade', async () => {
    const url = await cluster.database();
    const store = await openPostgresStore(url, OPTIONS);
    const held = await query(cluster.asAdmin(url), 'SELECT DISTINCT application_name FROM pg_stat_activity');
    expect(held).toContainEqual({ application_name: 'vade' });
    await store.end();
  });
});
