import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { describePostgres } from '../support/postgres-programs.ts';
import { startCluster, type Cluster } from '../support/postgres.ts';
import { silentServer } from '../support/silent-server.ts';
import { failure } from './failing.ts';

describePostgres('DESIGN §6.11 the exit codes of an audit in PostgreSQL', () => {
  let cluster: Cluster;
  let url: string;
  const folder = tempFolder();
  const verify = (audit: string) =>
    vade(['audit', 'verify', '--audit', audit, '--checkpoint-key', 'checkpoint.pub'], folder);

  beforeAll(async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    writeFileSync(join(folder, 'checkpoint.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    cluster = await startCluster();
    url = await cluster.database();
  });

  test('a database that refuses the password exits 8', async () => {
    expect(failure(await verify(url.replace(/:[0-9a-f]{24}@/, ':wrong@')))).toEqual([8, 'CREDENTIALS_REFUSED']);
  });

  test('a stopped database exits 12, and is retryable', async () => {
    await cluster.stop();
    const ran = await verify(url);
    expect(failure(ran)).toEqual([12, 'AUDIT_UNAVAILABLE']);
    expect(ran.envelope().error).toMatchObject({ retryable: true });
    await cluster.start();
    expect((await verify(url)).code).not.toBe(12);
  });

  test('a database that accepts the connection and never answers exits 10', async () => {
    const { port, close } = await silentServer();
    expect(failure(await verify(`postgres://vade:x@127.0.0.1:${port}/audit`))).toEqual([10, 'TIMED_OUT']);
    close();
  });
});
