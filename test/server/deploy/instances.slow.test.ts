import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { newSigningKey } from '../../../compiler/trust/root-chain.ts';
import { verifyAudit } from '../../../server/audit/maintenance.ts';
import { accountsOf } from '../../bench/audit/audit-rows.ts';
import { beginLoad, type LoadOptions } from '../../bench/serve/load.ts';
import { compiledWorkplace, TRUST, type Workplace } from '../../cli/workplace.ts';
import { capsuleOf } from '../../continuity/capsules.ts';
import { start, type Started } from '../../support/cli.ts';
import { tempFolder } from '../../support/folder.ts';
import type { Databases } from '../../support/postgres-cluster.ts';
import { describePostgres } from '../../support/postgres-programs.ts';
import { sharedCluster } from '../../support/postgres.ts';
import { query } from '../audit/postgres-place.ts';

const PATIENCE = { timeout: 30_000, interval: 20 };
const SECRETS = { VADE_AUDIT_KEY: 'ab'.repeat(32), VADE_CHECKPOINT_KEY: newSigningKey() };
const [, COMMAND = ''] =
  /^ExecStart=\/usr\/bin\/env vade (.*)$/m.exec(readFileSync('server/deploy/vade@.service', 'utf8')) ?? [];

let cluster: Databases;
let place: Workplace;
const running = new Set<Started>();

interface Instance {
  readonly kill: () => Promise<unknown>;
  readonly load: LoadOptions;
  readonly post: (path: string, body: object) => Promise<{ status: number; body: Record<string, unknown> }>;
}

/** A machine that starts instances by the command of the template, with a database and folders of its own. */
async function machine() {
  const folder = tempFolder();
  const audit = await cluster.database();
  const keys = join(folder, 'keys.json');
  const { key } = (await place.run(['key', 'create', '--agent', 'cto', ...TRUST, '--keys', keys])).envelope().data;
  const headers = { authorization: `Bearer ${String(key)}`, 'content-type': 'application/json' };
  const startInstance = async (name: string): Promise<Instance> => {
    mkdirSync(join(folder, name), { recursive: true });
    const command = COMMAND.replace('--port %i', '--port 0')
      .replaceAll('/var/lib/vade/%i', join(folder, name))
      .replaceAll('/var/lib/vade', folder)
      .replace('/etc/vade', place.cwd)
      .replace('https://bundles.example/', join(place.cwd, 'bundle'))
      .replace('postgres://vade@localhost/vade', audit);
    const run = start([...command.split(' '), '--rate-limit', '0'], folder, SECRETS);
    running.add(run);
    const url = await run.url();
    return {
      kill: () => {
        run.kill('SIGKILL');
        return run.ended;
      },
      load: { url: `${url}/v1/agents/cto/recall-instruction`, headers, bodies: ['{"intent":"stop"}'], connections: 6 },
      post: async (path, body) => {
        const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
      },
    };
  };
  const verify = () => verifyAudit({ audit, state: join(folder, 'one', 'audit') }, { pinned: null });
  return { audit, start: startInstance, verify };
}

const tokensAt = async (audit: string) =>
  (await query(audit, "SELECT audit_token FROM entries WHERE type = 'recall'")).map((it) => String(it['audit_token']));

/** While work goes on nobody writes the audit, so acknowledged rows wait in spools. */
async function whileLocked(audit: string, work: () => Promise<unknown>): Promise<void> {
  const client = new Client(cluster.asAdmin(audit));
  await client.connect();
  try {
    await client.query('BEGIN; LOCK TABLE entries IN ACCESS EXCLUSIVE MODE');
    await work();
  } finally {
    await client.end();
  }
}

describePostgres('two instances that the template of systemd starts', () => {
  beforeAll(async () => {
    cluster = await sharedCluster();
    place = await compiledWorkplace();
  });
  afterEach(async () => {
    for (const it of running) it.kill('SIGKILL');
    await Promise.all([...running].map((it) => it.ended));
    running.clear();
  });

  test('kill -9 of one loses no acknowledged row, and no request of the other', { timeout: 120_000 }, async () => {
    const { audit, start: startInstance, verify } = await machine();
    const [one, two] = [await startInstance('one'), await startInstance('two')];
    const [first, second] = [beginLoad(one.load), beginLoad(two.load)];
    const more = (count: number, loads = [first, second]) => {
      const wanted = loads.map((it) => it.answers.length + count);
      return vi.waitUntil(() => loads.every((it, at) => it.answers.length > (wanted[at] ?? 0)), PATIENCE);
    };
    await more(200);
    await whileLocked(audit, async () => {
      await more(100);
      expect(first.failures).toEqual([]);
      const ended = first.end();
      await Promise.all([one.kill(), ended]);
      await more(100, [second]);
    });
    await more(200, [second]);
    await second.end();
    expect(second.failures).toEqual([]);
    const missing = async (answers: typeof first.answers) => accountsOf(await tokensAt(audit), answers).missing;
    await vi.waitUntil(async () => (await missing(second.answers)) === 0, PATIENCE);
    // until it is started again, what it had acknowledged waits in its spool
    expect(await missing(first.answers)).toBeGreaterThan(0);
    await startInstance('one');
    await vi.waitUntil(async () => (await missing(first.answers)) === 0, PATIENCE);
    const accounts = accountsOf(await tokensAt(audit), [...first.answers, ...second.answers]);
    expect(accounts).toMatchObject({ missing: 0, doubled: 0, unaudited: 0 });
    // one chain for each start
    expect((await verify()).writers).toBe(3);
  });

  test(
    'what one wrote of a capsule the other reads, also after kill -9 of the first',
    { timeout: 60_000 },
    async () => {
      const { start: startInstance } = await machine();
      const [one, two] = [await startInstance('one'), await startInstance('two')];
      const subject = { subject_kind: 'thread', subject_id: 'store' };
      const upsertOf = (loop: string, secondsAgo: number) => {
        const updated_at = new Date(Date.now() - secondsAgo * 1000).toISOString();
        const capsule = capsuleOf({ updated_at, verified_at: updated_at }, { open_loops: [loop] });
        return { ...subject, capsule };
      };
      const loopsOf = async (instance: Instance) =>
        (await instance.post('/v1/continuity/read', subject)).body['capsule'];
      expect((await one.post('/v1/continuity/upsert', upsertOf('by one', 90))).status).toBe(201);
      expect(await loopsOf(two)).toMatchObject({ continuity: { open_loops: ['by one'] } });
      expect((await two.post('/v1/continuity/upsert', upsertOf('by two', 60))).status).toBe(200);
      expect(await loopsOf(one)).toMatchObject({ continuity: { open_loops: ['by two'] } });
      await one.kill();
      expect((await two.post('/v1/continuity/upsert', upsertOf('by two again', 30))).status).toBe(200);
      expect(await loopsOf(await startInstance('one'))).toMatchObject({ continuity: { open_loops: ['by two again'] } });
    },
  );
});
