import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { announce } from '../../server/successive.ts';
import { accountsOf, tokensIn } from '../audit/audit-rows.ts';
import { editions, type Editions } from '../compile/editions.ts';
import { agentName } from '../generate.ts';
import { report } from '../measure.ts';
import { hosted } from '../serve/hosted.ts';
import { beginLoad, spreadBetween } from '../serve/load.ts';
import { scrape } from '../serve/scrape.ts';
import { BODIES } from './fault-server.ts';

const SWAPS = 100;
/** Between two swaps: a bundle is used for a while, so that swaps and recalls are under way at once. */
const BETWEEN_MS = 50;
const STEADY_MS = 3000;
const PATIENCE = { timeout: 30_000, interval: 5 };

let made: Editions;

beforeAll(async () => {
  made = await editions(5);
});

type Server = Awaited<ReturnType<typeof hosted>>;

async function begun() {
  const server = await hosted(made, { kind: 'admin', entity: 'acme/human/jane' });
  const url = `${server.url}/v1/agents/${agentName(0)}/recall-instruction`;
  return { server, load: beginLoad({ url, headers: server.headers, bodies: BODIES, judge: made.judge }) };
}

async function readiness({ url }: Server) {
  const response = await fetch(`${url}/readyz`);
  return (await response.json()) as { bundle_revision: string; refused: { reason: string } | null };
}

const serves = (server: Server, revision: string) =>
  vi.waitUntil(async () => (await readiness(server)).bundle_revision === revision, PATIENCE);

test('a root replaced 100 times under load: no failed request, and no answer from two bundles', async () => {
  const { server, load } = await begun();
  await sleep(STEADY_MS);
  const steady = performance.now();
  await sleep(STEADY_MS);
  const began = performance.now();
  for (let swap = 1; swap <= SWAPS; swap++) {
    const revision = made.revisions[swap % made.revisions.length] ?? '';
    announce(made.bundle, revision);
    await serves(server, revision);
    await sleep(BETWEEN_MS);
  }
  const ended = performance.now();
  await load.end();
  await server.stop();
  const swaps = server.lines().filter((it) => it['msg'] === 'a new root is served');
  const accounts = accountsOf(tokensIn(server.audit), load.answers);
  const [without, during] = [spreadBetween(load.answers, steady, began), spreadBetween(load.answers, began, ended)];
  const took = swaps.map((it) => Number(it['ms'])).sort((a, b) => a - b);
  report(
    `root replaced ${swaps.length} times: answers, failed or mixed ones`,
    `${during.count}, ${load.failures.length}`,
    '0',
  );
  report('  a swap, from its announcement noticed: median', `${took[SWAPS / 2] ?? 0} ms`, '');
  report('  p99 without swaps', `${without.p99.toFixed(1)} ms`, '');
  report('  p99 with them', `${during.p99.toFixed(1)} ms = ${(during.p99 / without.p99).toFixed(2)} ×`, '');
  report('  rows missing, twice there', `${accounts.missing}, ${accounts.doubled}`, '0, 0');
  expect(load.failures).toEqual([]);
  expect(swaps).toHaveLength(SWAPS);
  expect(new Set(load.answers.map((it) => it.revision)).size).toBe(made.revisions.length);
  expect(accounts).toMatchObject({ missing: 0, doubled: 0, unaudited: 0, unheard: 0 });
  // generous: swaps cost work, and are never in a recall's way for long
  expect(during.p99 / without.p99).toBeLessThanOrEqual(10);
  expect(server.lines().filter((it) => Number(it['level']) > 30)).toEqual([]);
});

test('a half-written bundle is refused once, whichever file is cut, and the last good one goes on', async () => {
  announce(made.bundle, made.revisions[0] ?? '');
  const { server, load } = await begun();
  const [good = '', half = ''] = made.revisions;
  const files = made.gardenFiles(1);
  const reasons: string[] = [];
  for (const path of files) {
    const whole = readFileSync(path);
    truncateSync(path, Math.floor(whole.length / 2));
    announce(made.bundle, half);
    await vi.waitUntil(async () => (await readiness(server)).refused !== null, PATIENCE);
    // many looks at what was refused already
    await sleep(100);
    const { bundle_revision, refused } = await readiness(server);
    expect(bundle_revision).toBe(good);
    reasons.push(refused?.reason ?? '');
    announce(made.bundle, good);
    await vi.waitUntil(async () => (await readiness(server)).refused === null, PATIENCE);
    writeFileSync(path, whole);
  }
  announce(made.bundle, half);
  await serves(server, half);
  await load.end();
  const figures = await scrape(server);
  await server.stop();
  const refusals = server.lines().filter((it) => String(it['msg']).includes('is refused'));
  report(
    `half-written bundle, ${files.length} files cut: answers, failed ones`,
    `${load.answers.length}, ${load.failures.length}`,
    '0 failed',
  );
  report(
    '  told in the log, counted',
    `${refusals.length}, ${String(figures.get('vade_rollout_refusals_total'))}`,
    'once a reason',
  );
  report('  reasons', [...new Set(reasons)].sort().join(' '), '');
  expect(load.failures).toEqual([]);
  // the same root, refused for the same reason, is told once
  expect(refusals).toHaveLength(new Set(reasons).size);
  expect(figures.get('vade_rollout_refusals_total')).toBe(refusals.length);
  expect(reasons).not.toContain('');
});
