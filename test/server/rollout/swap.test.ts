import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { FRESHNESS, ROLLBACK, WITHDRAWN } from '../../../compiler/io/bundle/sidecar-files.ts';
import { signFreshness } from '../../../compiler/trust/freshness.ts';
import { signRollback } from '../../../compiler/trust/rollback.ts';
import { addWithdrawal, signWithdrawal } from '../../../compiler/trust/withdrawal.ts';
import { person, staff } from '../../support/staff.ts';
import { running, type RunOptions, type Running } from '../running.ts';
import { announce, successive, together, versionOf, wordsOf, type Successive } from '../successive.ts';

const ann = person('ann');
const trust = staff([ann]);
const later = new Date(Date.now() + 86_400_000).toISOString();
let made: Successive;

beforeAll(async () => {
  made = await successive(trust, 3);
});

const started = (options: Partial<RunOptions> = {}): Promise<Running> =>
  running({ bundle: together(made), trust, follow: { pollMs: 20 }, ...options });

const ready = async (server: Running) => (await server.ask(null, 'GET', '/readyz')).json();
const errors = (server: Running) => server.log.filter((it) => it['level'] === 50);
const handOver = (server: Running) => server.recall('cto', 'cto', { intent: 'hand over', max_chunks: 1 });
const serves = (server: Running, n: number) =>
  expect
    .poll(() => ready(server), { timeout: 30_000 })
    .toMatchObject({ bundle_revision: made.revisions[n], refused: null });
const refuses = (server: Running, reason: string) =>
  expect.poll(() => ready(server), { timeout: 30_000 }).toMatchObject({ status: 'ready', refused: { reason } });

/** A file of the garden of `cto` in the n-th bundle. */
const fileOf = (server: Running, n: number, path = 'facts.json') =>
  join(server.bundle, 'gardens/cto', versionOf(made.folders[n] ?? '', 'cto'), path);

describe('DESIGN §8 a new root', () => {
  test('a new root is served once it is announced, and each answer names its revision', async () => {
    const server = await started();
    for (const n of [0, 1, 2]) {
      announce(server.bundle, made.revisions[n] ?? '');
      await serves(server, n);
      const answer = await handOver(server);
      expect([answer.headers['x-bundle-revision'], answer.text]).toEqual([
        made.revisions[n],
        expect.stringContaining(wordsOf(n)),
      ]);
    }
    const changed = server.log.filter((it) => it['msg'] === 'a new root is served').map((it) => it['changed']);
    expect(changed).toEqual([1, 1]);
    expect(errors(server)).toEqual([]);
  });

  test('§21.1.4 after a swap the old ETag fetches the new stub, and an unchanged stub is 304', async () => {
    const server = await started();
    const stub = (who: 'cto' | 'cto2', etag = '') =>
      server.ask(who, 'GET', `/v1/agents/${who}/boot-stub`, { headers: { 'if-none-match': etag } });
    const [before, peer] = [await stub('cto'), await stub('cto2')];
    announce(server.bundle, made.revisions[1] ?? '');
    await serves(server, 1);
    const after = await stub('cto', before.headers['etag']);
    expect([after.status, after.headers['x-bundle-revision']]).toEqual([200, made.revisions[1]]);
    expect(after.headers['x-manifest-version']).not.toBe(before.headers['x-manifest-version']);
    expect((await stub('cto2', peer.headers['etag'])).status).toBe(304);
  });

  test('an unchanged garden is carried over from memory, and not read again', async () => {
    const server = await started();
    const before = await server.recall('cto2', 'cto2', { intent: 'spend money' });
    rmSync(join(server.bundle, 'gardens/cto2'), { recursive: true });
    rmSync(join(server.bundle, 'gardens/shared'), { recursive: true });
    announce(server.bundle, made.revisions[1] ?? '');
    await serves(server, 1);
    const after = await server.recall('cto2', 'cto2', { intent: 'spend money' });
    expect([after.status, after.headers['x-bundle-revision']]).toEqual([200, made.revisions[1]]);
    expect(after.json()['chunks']).toEqual(before.json()['chunks']);
  });

  test('a fact that was withdrawn before a swap stays withdrawn', async () => {
    const server = await started();
    const fact_uri = 'instruction:acme/agent/cto/incident/v1';
    const { digest } = (await server.ask('cto', 'GET', `/v1/facts/${encodeURIComponent(fact_uri)}`)).json();
    const order = { deployment: 'acme', fact_uri, digest: String(digest), reason: 'wrong', withdrawn_at: later };
    writeFileSync(join(server.bundle, WITHDRAWN), addWithdrawal(null, signWithdrawal(order, [ann.signer])));
    await expect.poll(() => ready(server), { timeout: 30_000 }).toMatchObject({ withdrawn: 1 });
    rmSync(join(server.bundle, WITHDRAWN));
    announce(server.bundle, made.revisions[1] ?? '');
    await serves(server, 1);
    const answer = await server.recall('cto', 'cto', { intent: 'production is down', max_chunks: 10 });
    expect(JSON.stringify(answer.json()['chunks'])).not.toContain('incident');
  });
});

describe('DESIGN §8 a root that does not verify is refused, and the last good one stays in service', () => {
  test('a root with a changed file is refused and logged once, and served once the file is restored', async () => {
    const server = await started();
    const path = fileOf(server, 1);
    const whole = readFileSync(path);
    appendFileSync(path, ' ');
    announce(server.bundle, made.revisions[1] ?? '');
    await refuses(server, 'digest_mismatch');
    const answer = await handOver(server);
    expect([answer.headers['x-bundle-revision'], answer.text]).toEqual([
      made.revisions[0],
      expect.stringContaining(wordsOf(0)),
    ]);
    writeFileSync(path, whole);
    await serves(server, 1);
    expect((await handOver(server)).text).toContain(wordsOf(1));
    expect(errors(server)).toMatchObject([{ reason: 'digest_mismatch', offered: made.revisions[1] }]);
  });

  test('an incomplete root is refused, and served once it is complete', async () => {
    const server = await started();
    const [root, away] = [join(server.bundle, 'roots', made.revisions[1] ?? ''), join(server.bundle, 'away')];
    renameSync(root, away);
    announce(server.bundle, made.revisions[1] ?? '');
    await refuses(server, 'file_unreadable');
    const missing = join(away, 'org.json');
    const org = readFileSync(missing);
    rmSync(missing);
    renameSync(away, root);
    await refuses(server, 'file_missing');
    writeFileSync(join(root, 'org.json'), org);
    await serves(server, 1);
  });

  test('an announcement that names no root is logged, and the last good root stays in service', async () => {
    const server = await started();
    announce(server.bundle, '../../etc');
    await expect.poll(() => errors(server), { timeout: 30_000 }).toHaveLength(1);
    expect((await handOver(server)).status).toBe(200);
    announce(server.bundle, made.revisions[1] ?? '');
    await serves(server, 1);
  });

  test('an older root is refused as serial_lower, unless an administrator authorises the rollback', async () => {
    const server = await started();
    announce(server.bundle, made.revisions[2] ?? '');
    await serves(server, 2);
    announce(server.bundle, made.revisions[1] ?? '');
    await refuses(server, 'serial_lower');
    const revision = made.revisions[1] ?? '';
    const permission = { deployment: 'acme', revision, reason: 'the new one is bad', expires: later };
    writeFileSync(join(server.bundle, ROLLBACK), signRollback(permission, [ann.signer]));
    await serves(server, 1);
    expect((await handOver(server)).text).toContain(wordsOf(1));
  });

  test('with --fail-stale a root without a valid freshness statement is refused until it has one', async () => {
    const fresh = (n: number) =>
      signFreshness(
        {
          deployment: 'acme',
          revision: made.revisions[n] ?? '',
          issued: '2026-01-01T00:00:00Z',
          expires: later,
          withdrawals: [],
        },
        [trust.signer],
      );
    const bundle = together(made);
    writeFileSync(join(bundle, FRESHNESS), fresh(0));
    const server = await started({ bundle, failStale: true });
    announce(bundle, made.revisions[1] ?? '');
    await refuses(server, 'not_fresh');
    writeFileSync(join(bundle, FRESHNESS), fresh(1));
    await serves(server, 1);
    expect((await handOver(server)).status).toBe(200);
  });
});
