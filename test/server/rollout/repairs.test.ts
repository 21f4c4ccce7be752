import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { listing } from '../../io/handbook.ts';
import { testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { flipByte, onlyVersion } from '../damage.ts';
import { hosting, mirrorOf, type Host, type Misbehave } from '../hosting.ts';
import { running, type Running } from '../running.ts';
import { successive, versionOf, wordsOf, type Successive } from '../successive.ts';

const trust = testTrust();
let made: Successive;

beforeAll(async () => {
  made = await successive(trust, 2);
});

/** The cache of a server, filled with the n-th bundle. */
async function cacheOf(n: number): Promise<string> {
  const folder = tempFolder();
  const mirror = mirrorOf(await hosting(made.folders[n] ?? ''), trust, { folder });
  mirror.accept(await mirror.sync());
  return folder;
}

function started(host: Host, bundle: string): Promise<Running> {
  const mirror = mirrorOf(host, trust, { folder: bundle, timeoutMs: 2000 });
  return running({ bundle, trust, follow: { mirror, mirrorPollMs: 20, pollMs: 20 } });
}

/** A host without its gardens. */
const withoutGardens: Misbehave = (path, response) => {
  if (!path.startsWith('gardens/')) return false;
  response.writeHead(404).end();
  return true;
};

const handOver = (server: Running) => server.recall('cto', 'cto', { intent: 'hand over', max_chunks: 1 });
const answers = (server: Running, words: string) =>
  expect.poll(async () => (await handOver(server)).text, { timeout: 30_000 }).toContain(words);
const messagesOf = (server: Running, garden: string) =>
  server.log.filter((it) => it['garden'] === garden).map((it) => it['msg']);

const facts = (cache: string) => join(onlyVersion(cache, 'cto'), 'facts.json');
const flipped = (garden: string) => (cache: string) => {
  flipByte(cache, garden, 'facts.json');
};
const truncated = (cache: string) => {
  truncateSync(facts(cache), 10);
};
const removed = (cache: string) => {
  rmSync(facts(cache));
};

const DAMAGES: readonly [name: string, garden: string, damage: (cache: string) => void][] = [
  ['a flipped bit', 'cto', flipped('cto')],
  ['a truncated file', 'cto', truncated],
  ['a removed file', 'cto', removed],
  ['a damaged shared garden', 'shared', flipped('shared')],
];

describe('repairs of a mirror’s cache', () => {
  test.each(DAMAGES)(
    'a garden with %s is fetched again, and served without a restart',
    async (_name, garden, damage) => {
      const host = await hosting(made.folders[0] ?? '');
      const cache = await cacheOf(0);
      damage(cache);
      host.serve(made.folders[0] ?? '', withoutGardens);
      const server = await started(host, cache);
      expect((await handOver(server)).code).toBe('recall_backend_unavailable');
      await expect.poll(() => messagesOf(server, garden), { timeout: 30_000 }).toHaveLength(2);
      host.serve(made.folders[0] ?? '');
      await answers(server, wordsOf(0));
      expect(messagesOf(server, garden)).toEqual([
        'garden does not verify',
        'a damaged garden cannot be fetched again',
        'a damaged garden is fetched again',
      ]);
      expect(listing(cache)).toEqual(listing(made.folders[0] ?? ''));
    },
  );

  test('a garden that is damaged while it is served is fetched again', async () => {
    const host = await hosting(made.folders[0] ?? '');
    const server = await started(host, tempFolder());
    await answers(server, wordsOf(0));
    rmSync(onlyVersion(server.bundle, 'cto'), { recursive: true });
    const uri = encodeURIComponent('instruction:acme/agent/cto/wrap-up/v1');
    const fact = () => server.ask('cto', 'GET', `/v1/facts/${uri}`);
    expect((await fact()).code).toBe('recall_backend_unavailable');
    await expect.poll(async () => (await fact()).status, { timeout: 30_000 }).toBe(200);
  });

  test('a damaged garden of a refused root is fetched again', async () => {
    const host = await hosting(made.folders[0] ?? '');
    const cache = await cacheOf(1);
    writeFileSync(join(cache, 'gardens/cto', versionOf(made.folders[1] ?? '', 'cto'), 'facts.json'), '{}');
    const server = await started(host, cache);
    await answers(server, wordsOf(0));
    host.serve(made.folders[1] ?? '');
    await answers(server, wordsOf(1));
    expect(messagesOf(server, 'cto')).toEqual(['a damaged garden is fetched again']);
    expect(server.log.filter((it) => it['level'] === 50)).toHaveLength(1);
  });

  test('a garden that is damaged at the origin too is fetched at growing intervals', async () => {
    const bad = await cacheOf(0);
    flipByte(bad, 'cto', 'facts.json');
    const host = await hosting(bad);
    const cache = await cacheOf(0);
    flipByte(cache, 'cto', 'facts.json');
    const server = await started(host, cache);
    const fetched: string[] = [];
    const times = (path: RegExp) => fetched.filter((it) => path.test(it)).length;
    await vi.waitFor(() => {
      fetched.push(...host.fetched().map((it) => it.path));
      expect(times(/^current/)).toBeGreaterThan(40);
    }, 60_000);
    expect(times(/^gardens\/cto\/.*garden\.dsse/)).toBeLessThan(20);
    const refused = await handOver(server);
    expect(refused.code).toBe('recall_backend_unavailable');
    expect(refused.json()['error']).toMatchObject({ details: { reason: 'digest_mismatch', retryable: true } });
    const ready = (await server.ask(null, 'GET', '/readyz')).json();
    expect(ready['unavailable']).toMatchObject({ gardens: 1, retryable: 1 });
    expect(messagesOf(server, 'cto')).toEqual(['garden does not verify', 'a damaged garden cannot be fetched again']);
    host.serve(made.folders[0] ?? '');
    await answers(server, wordsOf(0));
  });
});
