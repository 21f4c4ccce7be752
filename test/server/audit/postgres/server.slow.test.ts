import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import type { HttpOptions } from '../../../../server/http/http-options.ts';
import { tempFolder } from '../../../support/folder.ts';
import { describePostgres } from '../../../support/postgres-programs.ts';
import { startCluster, type Cluster } from '../../../support/postgres.ts';
import { compiledPeers, type CompiledPeers } from '../../deployment.ts';
import { running, type Running } from '../../running.ts';

const RETRY = { timeout: 30_000, interval: 50 };
const SHARED_KEY = 'a key that all instances share';

let cluster: Cluster;
let peers: CompiledPeers;

/** One of several servers that share a database; each has its own state files. */
function instance(audit: string, state = join(tempFolder(), 'audit')): Promise<Running> {
  const http: HttpOptions & { readonly state: string } = { state };
  return running({ ...peers, audit, auditKey: SHARED_KEY, http });
}

async function recalled(server: Running, intent: string) {
  const answer = await server.recall('cto', 'cto', { intent });
  const { audit_token: token, warnings } = answer.json() as { audit_token: string; warnings: string[] };
  return { status: answer.status, token, warnings };
}

const close = async (server: Running, audit_token: string) =>
  (await server.ask('cto', 'POST', '/v1/instruction/audit', { json: { audit_token, used_chunks: ['wrap-up'] } }))
    .status;

async function listed(server: Running) {
  const answer = await server.ask('admin', 'GET', '/v1/agents/cto/audit');
  if (answer.status !== 200) throw new Error(`the audit cannot be listed: ${answer.text}`);
  return (answer.json() as { entries: { intent: string; audit_token: string; used_chunks: string[] }[] }).entries;
}

describePostgres('§21.5: servers that share an audit on PostgreSQL', () => {
  beforeAll(async () => {
    cluster = await startCluster();
    peers = await compiledPeers();
  });

  test('a recall of one instance can be closed at another, and both list it', async () => {
    const audit = await cluster.database();
    const [one, other] = await Promise.all([instance(audit), instance(audit)]);
    const { token } = await recalled(one, 'hand over');
    expect(await close(other, token)).toBe(204);
    for (const server of [one, other]) {
      await expect.poll(() => listed(server), RETRY).toMatchObject([{ audit_token: token, used_chunks: ['wrap-up'] }]);
    }
  });

  test('recalls and closings are answered while PostgreSQL is stopped, and are all stored once it is back', async () => {
    const audit = await cluster.database();
    const [one, other] = await Promise.all([instance(audit), instance(audit)]);
    const before = await recalled(one, 'hand over');
    await cluster.stop();
    const during = await Promise.all([one, other, one, other].map((it) => recalled(it, 'done for today')));
    expect(during.map((it) => [it.status, it.warnings.includes('audit_write_failed')])).toEqual(
      Array.from({ length: 4 }, () => [200, false]),
    );
    // at the instance that does not have the recall in its own spool
    for (const { token } of [before, during[0]!]) expect(await close(other, token)).toBe(204);
    await cluster.start();
    const expected = [before, ...during].map((it) => it.token).sort();
    await vi.waitFor(async () => {
      const entries = await listed(one);
      expect(entries.map((it) => it.audit_token).sort()).toEqual(expected);
      const closed = entries.filter((it) => it.used_chunks.length > 0).map((it) => it.audit_token);
      expect(closed.sort()).toEqual([before.token, during[0]!.token].sort());
    }, RETRY);
    for (const { log } of [one, other]) expect(JSON.stringify(log)).not.toContain(new URL(audit).password);
  });

  test('a server that has used the database before starts while PostgreSQL is stopped, and its rows are stored once it is back', async () => {
    const [audit, state] = [await cluster.database(), join(tempFolder(), 'audit')];
    const earlier = await instance(audit, state);
    const before = await recalled(earlier, 'hand over');
    await earlier.close();
    // a retry cannot fix a wrong password
    const wrong = instance(audit.replace(/:[0-9a-f]{24}@/, ':open-sesame-4711@'), state);
    await expect(wrong).rejects.toMatchObject({ code: 'credentials_refused' });
    await cluster.stop();
    const server = await instance(audit, state);
    const during = await recalled(server, 'done for today');
    expect([during.status, during.warnings]).toEqual([200, before.warnings]);
    expect(await close(server, during.token)).toBe(204);
    expect(server.log.filter((it) => String(it['msg']).includes('is unreachable'))).toHaveLength(1);
    await cluster.start();
    await vi.waitFor(async () => {
      const entries = await listed(server);
      expect(entries.map((it) => it.audit_token).sort()).toEqual([before.token, during.token].sort());
      expect(entries.find((it) => it.audit_token === during.token)?.used_chunks).toEqual(['wrap-up']);
    }, RETRY);
    expect(JSON.stringify(server.log)).not.toContain(new URL(audit).password);
  });

  test('a server that has never used the database does not start while PostgreSQL is stopped, because the address may be wrong', async () => {
    const audit = await cluster.database();
    await cluster.stop();
    const thrown: unknown = await instance(audit).catch((error: unknown) => error);
    await cluster.start();
    expect(thrown).toMatchObject({ code: 'audit_unavailable' });
    expect(String((thrown as Error).stack)).not.toContain(new URL(audit).password);
  });
});
