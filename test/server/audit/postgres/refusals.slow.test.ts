import { createServer, type AddressInfo, type Server } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VadeError } from '../../../../compiler/schema/errors.ts';
import { openPostgresLedger } from '../../../../server/audit/postgres/ledger.ts';
import { openPostgresStore } from '../../../../server/audit/postgres/store.ts';
import { connectionUrl, isPostgresUrl, refuseBackup, shownUrl } from '../../../../server/audit/postgres/url.ts';
import { Unreachable } from '../../../../server/audit/records/reopening.ts';
import type { StoreOptions } from '../../../../server/audit/records/store.ts';
import { startCluster, type Cluster } from '../../../support/postgres.ts';
import { describePostgres } from '../../../support/postgresprograms.ts';

const SECRET = 'open-sesame-4711';
const OPTIONS: StoreOptions = { writer: 'w', intents: 'full', openedAt: 1 };

/** How an opening is refused: by a code of the table, and without the password; for now where it may be there later. */
async function refusal(url: string): Promise<string> {
  const thrown: unknown = await openPostgresStore(url, OPTIONS).then(
    async (store) => store.end(),
    (error: unknown) => error,
  );
  if (!(thrown instanceof VadeError)) throw new Error(`not refused as it should be: ${String(thrown)}`);
  const said = `${thrown.message} ${JSON.stringify(thrown.details)} ${thrown.stack ?? ''} ${String(thrown.cause)}`;
  expect(said).not.toContain(passwordOf(url));
  return thrown instanceof Unreachable ? `${thrown.code}, for now` : thrown.code;
}

function passwordOf(url: string): string {
  return /:\/\/[^:]*:([^@]*)@/.exec(url)?.[1] ?? SECRET;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('DESIGN §8: --audit names a PostgreSQL database by its URL', () => {
  test('both schemes are known, and a file is none', () => {
    expect(['postgres://a/b', 'postgresql://a/b', 'audit.db', 'postgres.db'].map(isPostgresUrl)).toEqual([
      ...[true, true, false, false],
    ]);
  });

  test.each([
    [`postgres://vade:${SECRET}@db.example:5433/audit?sslmode=verify-full`, 'postgres://vade@db.example:5433/audit'],
    [`postgresql://vade:${SECRET}@db/audit?application_name=x&password=${SECRET}`, 'postgres://vade@db/audit'],
    [`postgres://vade:${SECRET}@/audit?host=/run/pg`, 'postgres://vade@localhost/audit?host=%2Frun%2Fpg'],
    ['postgres://db/audit', 'postgres://db/audit'],
  ])('what is told of %s leaves the password out', (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });

  test.each([
    ['an unescaped slash in the password', `postgres://vade:1/${SECRET}@db/audit`],
    ['an unescaped hash in the password', `postgres://vade:1#${SECRET}@db/audit`],
    ['no database', `postgres://vade:${SECRET}@db`],
    ['a port that is none', `postgres://vade:${SECRET}@db:port/audit`],
  ])('%s is an argument error that tells nothing of it', async (_, url) => {
    expect(await refusal(url)).toBe('argument_invalid');
  });

  test('a mode that asks for TLS checks the certificate, unless it says by name that it does not', () => {
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

describe('DESIGN §6.12: an audit that cannot be reached is audit_unavailable or timed_out at the start', () => {
  let silent: Server;

  beforeAll(async () => {
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    silent.close();
  });

  test('where nobody listens', async () => {
    expect(await refusal(`postgres://vade:${SECRET}@127.0.0.1:1/audit`)).toBe('audit_unavailable, for now');
  });

  test('where the host has no address', async () => {
    expect(await refusal(`postgres://vade:${SECRET}@no-such-host.invalid/audit`)).toBe('audit_unavailable, for now');
  });

  test('where there is no socket', async () => {
    expect(await refusal(`postgres://vade:${SECRET}@/audit?host=/nowhere`)).toBe('audit_unavailable, for now');
  });

  test('where somebody listens and never says a word', async () => {
    const { port } = silent.address() as AddressInfo;
    expect(await refusal(`postgres://vade:${SECRET}@127.0.0.1:${port}/audit`)).toBe('timed_out, for now');
  });
});

describePostgres('DESIGN §6.12: a database that is not for this audit is refused at the start', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster();
  });

  test('a wrong password', async () => {
    const url = await cluster.database();
    expect(await refusal(url.replace(passwordOf(url), SECRET))).toBe('credentials_refused');
  });

  test('a database that is not there', async () => {
    const url = await cluster.database();
    expect(await refusal(url.replace(/\/vade_\w+/, '/nowhere'))).toBe('output_failed');
  });

  test("tables of something else, which stay as they are and get none of the audit's beside them", async () => {
    const url = await cluster.database();
    await query(url, 'CREATE TABLE invoices (id int)');
    expect(await refusal(url)).toBe('output_failed');
    expect(await query(url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([
      { relname: 'invoices' },
    ]);
  });

  test('an audit of another version', async () => {
    const url = await cluster.database();
    await query(url, 'CREATE TABLE vade_audit (version int); INSERT INTO vade_audit VALUES (99)');
    expect(await refusal(url)).toBe('output_failed');
  });

  test('an encoding that cannot keep every intent to the byte', async () => {
    const url = await cluster.database();
    const latin = `${/\/(vade_\w+)/.exec(url)?.[1] ?? ''}_latin`;
    await query(cluster.asAdmin(url), `CREATE DATABASE ${latin} OWNER vade ENCODING 'LATIN1' TEMPLATE template0`);
    expect(await refusal(url.replace(latin.slice(0, -'_latin'.length), latin))).toBe('output_failed');
  });

  test('a role that may not make tables, in an empty database', async () => {
    const url = await cluster.database();
    await query(cluster.asAdmin(url), 'ALTER DATABASE ' + new URL(url).pathname.slice(1) + ' OWNER TO admin');
    await query(cluster.asAdmin(url), 'REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    expect(await refusal(url)).toBe('output_failed');
  });

  test('an empty database holds no audit to verify, and gets none by being looked at', async () => {
    const url = await cluster.database();
    await expect(openPostgresLedger(url, 'read')).rejects.toMatchObject({ code: 'output_failed' });
    expect(await query(url, "SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([]);
  });
});

describePostgres('the connection is as the URL says', () => {
  let cluster: Cluster;
  const tls = async (more: string) => `${await cluster.database()}?sslmode=${more}`;

  beforeAll(async () => {
    cluster = await startCluster({ tls: true });
  });

  test('a certificate that the given authority signed is believed', async () => {
    const store = await openPostgresStore(await tls(`require&sslrootcert=${cluster.certificate}`), OPTIONS);
    await store.end();
  });

  test('another one is not, although the mode is only `require`', async () => {
    expect(await refusal(await tls('require'))).toBe('output_failed');
  });

  test('nor is it under another name, but for who asks for no proof', async () => {
    const elsewhere = async (more: string) => (await tls(more)).replace('127.0.0.1', 'localhost');
    expect(await refusal(await elsewhere(`verify-full&sslrootcert=${cluster.certificate}`))).toBe('output_failed');
    const store = await openPostgresStore(await elsewhere('no-verify'), OPTIONS);
    await store.end();
  });

  test('a connection names the program that holds it', async () => {
    const url = await cluster.database();
    const store = await openPostgresStore(url, OPTIONS);
    const held = await query(cluster.asAdmin(url), 'SELECT DISTINCT application_name FROM pg_stat_activity');
    expect(held).toContainEqual({ application_name: 'vade' });
    await store.end();
  });
});
