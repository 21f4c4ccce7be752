import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pauseMs } from '../../../server/rollout/mirror-poll.ts';
import { testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { laterReasonOf } from '../../support/refused.ts';
import { flipByte } from '../damage.ts';
import { hosting, mirrorOf, type Host } from '../hosting.ts';
import { running, type Running } from '../running.ts';
import { announce, successive, together, versionOf, wordsOf, type Successive } from '../successive.ts';

const trust = testTrust();
let made: Successive;

beforeAll(async () => {
  made = await successive(trust, 3);
});

/** A server that mirrors a host; two that share a cache simulate a restart. */
function started(host: Pick<Host, 'url'>, bundle = tempFolder(), canaries: { agent: string; root: string }[] = []) {
  const mirror = mirrorOf(host, trust, { folder: bundle, timeoutMs: 2000 });
  return running({ bundle, trust, follow: { mirror, mirrorPollMs: 20, pollMs: 20, canaries } });
}

const ready = async (server: Running) => (await server.ask(null, 'GET', '/readyz')).json();
const handOver = async (server: Running) =>
  (await server.recall('cto', 'cto', { intent: 'hand over', max_chunks: 1 })).text;
const serves = (server: Running, n: number) =>
  expect
    .poll(() => ready(server), { timeout: 30_000 })
    .toMatchObject({ bundle_revision: made.revisions[n], refused: null });
const nowhere = { url: 'http://127.0.0.1:9/' };

test('the pause doubles after each failed poll, and is a minute at most: so long a withdrawal may wait for the next one', () => {
  const pauses = (pollMs: number) =>
    [0, 1, 2, 4, 8, 1000].map((failures) => pauseMs({ pollMs, random: () => 0.5 }, failures));
  expect(pauses(10_000)).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  expect(pauses(300_000)).toEqual([300_000, 300_000, 300_000, 300_000, 300_000, 300_000]);
});

describe('a server with a remote bundle', () => {
  test('a server serves a remote bundle and its successors, and fetches only changed gardens', async () => {
    const host = await hosting(made.folders[0] ?? '');
    const server = await started(host);
    expect(await handOver(server)).toContain(wordsOf(0));
    await expect
      .poll(() => host.fetched().filter((it) => it.path === 'current' && it.status === 304), { timeout: 30_000 })
      .not.toEqual([]);
    host.serve(made.folders[1] ?? '');
    await serves(server, 1);
    expect(await handOver(server)).toContain(wordsOf(1));
    const gardens = host.fetched().flatMap((it) => /^gardens\/([^/]+)/.exec(it.path)?.[1] ?? []);
    expect(new Set(gardens)).toEqual(new Set(['cto']));
    expect(server.log.filter((it) => it['level'] === 50)).toEqual([]);
  });

  test('a remote root with a changed file is refused and logged once, and the last good one is served', async () => {
    const host = await hosting(made.folders[0] ?? '');
    const server = await started(host);
    const bad = together(made);
    announce(bad, made.revisions[1] ?? '');
    rmSync(join(bad, 'gardens/cto', versionOf(made.folders[0] ?? '', 'cto')), { recursive: true });
    rmSync(join(bad, 'gardens/cto', versionOf(made.folders[2] ?? '', 'cto')), { recursive: true });
    flipByte(bad, 'cto', 'facts.json');
    host.serve(bad);
    await expect
      .poll(() => ready(server), { timeout: 30_000 })
      .toMatchObject({ status: 'ready', refused: { reason: 'digest_mismatch' } });
    expect(await handOver(server)).toContain(wordsOf(0));
    host.serve(made.folders[1] ?? '');
    await serves(server, 1);
    expect(server.log.filter((it) => it['level'] === 50)).toHaveLength(1);
  });

  test('a server keeps serving while the origin is unreachable, and follows it again later', async () => {
    const host = await hosting(made.folders[0] ?? '');
    const server = await started(host);
    host.serve(made.folders[0] ?? '', (_path, response) => response.socket?.destroy() !== undefined);
    await expect.poll(() => server.log.filter((it) => it['level'] === 50), { timeout: 30_000 }).toHaveLength(1);
    expect(await handOver(server)).toContain(wordsOf(0));
    expect((await ready(server))['status']).toBe('ready');
    host.serve(made.folders[1] ?? '');
    await serves(server, 1);
  });

  test('a server restarts without a network from its cache, and does not start without a cache', async () => {
    const host = await hosting(made.folders[0] ?? '');
    const cache = tempFolder();
    const first = await started(host, cache);
    host.serve(made.folders[1] ?? '');
    await serves(first, 1);
    await first.close();
    await host.close();
    const again = await started(nowhere, cache);
    expect(await handOver(again)).toContain(wordsOf(1));
    await again.close();
    await expect(started(nowhere)).rejects.toMatchObject({ code: 'bundle_unavailable' });
  });

  test('a server starts with the previous root if the newest one in its cache is damaged', async () => {
    const host = await hosting(made.folders[0] ?? '');
    const cache = tempFolder();
    await (await started(host, cache)).close();
    // the root is fetched completely, then damaged on the disk
    await mirrorOf({ url: (host.serve(made.folders[1] ?? ''), host.url) }, trust, { folder: cache }).sync();
    const org = join(cache, 'roots', made.revisions[1] ?? '', 'org.json');
    writeFileSync(org, `${readFileSync(org, 'utf8')} `);
    await host.close();
    writeFileSync(join(cache, 'current'), `${made.revisions[0] ?? ''}\n`);
    const again = await started(nowhere, cache);
    expect(await handOver(again)).toContain(wordsOf(0));
  });

  test('a canary can be answered from a remote root that is not announced', async () => {
    const folder = together(made);
    const host = await hosting(folder);
    const server = await started(host, tempFolder(), [{ agent: 'cto', root: made.revisions[2] ?? '' }]);
    expect(await handOver(server)).toContain(wordsOf(2));
    expect((await ready(server))['bundle_revision']).toBe(made.revisions[0]);
    expect(readdirSync(join(server.bundle, 'roots')).sort()).toEqual([made.revisions[0], made.revisions[2]].sort());
  });

  test('a server does not start with a remote bundle that another key signed', async () => {
    const host = await hosting(made.folders[0] ?? '');
    const mirror = mirrorOf(host, testTrust());
    const start = running({ bundle: mirror.folder, trust: testTrust(), follow: { mirror } });
    expect(await laterReasonOf(start)).toBe('key_unknown');
  });
});
