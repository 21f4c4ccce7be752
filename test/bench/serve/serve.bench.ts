import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { serve } from '../../support/cli.ts';
import { agentName, phrase } from '../generate.ts';
import { keepAlive, report, spread, time, type Spread } from '../measure.ts';
import { adminHeaders, bundleOf, residentMegabytes, UNLIMITED } from './served.ts';

const BODIES = Array.from({ length: 200 }, (_, i) => JSON.stringify({ intent: phrase(`asked ${i}`, 8) }));

/** The yardstick in a process of its own. */
async function bare(bytes: Buffer) {
  const script = fileURLToPath(new URL('bare.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, bytes.toString('base64')], { stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      resolve(/"url":"([^"]+)"/.exec(chunk.toString())?.[1] ?? '');
    });
  });
  return { url, stop: () => child.kill() };
}

interface Load {
  readonly perSecond: number;
  readonly latency: Spread;
}

let asked = 0;

/** Requests of which none has the intent of another. */
function unheard(): autocannon.Request[] {
  const setupRequest = (request: autocannon.Request) => {
    asked += 1;
    return { ...request, body: JSON.stringify({ intent: `${phrase(`asked ${asked % 200}`, 8)} ${asked} times` }) };
  };
  return [{ method: 'POST', setupRequest }];
}

/** Asks over and over, each connection through all the requests; an answer that is not 200 fails the run. */
async function load(
  url: string,
  headers: Record<string, string>,
  connections: number,
  amount: number,
  requests: autocannon.Request[] = BODIES.map((body) => ({ body })),
): Promise<Load> {
  const times: number[] = [];
  const start = performance.now();
  // autocannon itself ends on a whole second
  let last = start;
  const { non2xx, errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = { url, connections, amount, method: 'POST' as const, headers, requests };
    const run = autocannon(options, (error: Error | null, result) => {
      if (error) reject(error);
      else resolve(result);
    });
    run.on('response', (...[, , , milliseconds]: [unknown, number, number, number]) => {
      times.push(milliseconds);
      last = performance.now();
    });
  });
  expect([non2xx, errors, timeouts]).toEqual([0, 0, 0]);
  return { perSecond: amount / ((last - start) / 1000), latency: spread(times) };
}

const best = (loads: readonly Load[]) => ({
  perSecond: Math.max(...loads.map((it) => it.perSecond)),
  p99: Math.min(...loads.map((it) => it.latency.p99)),
});

async function started() {
  const repo = await bundleOf({ agents: 4, units: 12, commits: 2, touched: 10 });
  const server = await serve(UNLIMITED, repo);
  const headers = await adminHeaders(repo);
  // a key is known within a second
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return { repo, server, headers, url: `${server.url}/v1/agents/${agentName(0)}/recall-instruction` };
}

test('recall over 16 connections, audit on, reaches half the throughput of a bare Express route', async () => {
  const { server, headers, url } = await started();
  const one = keepAlive(url, headers);
  const yardstick = await bare(await one.post(BODIES[0] ?? ''));
  one.end();
  const loads: { ours: Load[]; theirs: Load[] } = { ours: [], theirs: [] };
  await load(url, headers, 16, 4000);
  await load(yardstick.url, headers, 16, 4000);
  for (let round = 0; round < 5; round++) {
    loads.ours.push(await load(url, headers, 16, 8000));
    loads.theirs.push(await load(yardstick.url, headers, 16, 8000));
  }
  const fresh: { ours: Load[]; theirs: Load[] } = { ours: [], theirs: [] };
  // the client makes these requests one by one, which costs it more: the yardstick is asked by the same client
  for (let round = 0; round < 3; round++) {
    fresh.ours.push(await load(url, headers, 16, 8000, unheard()));
    fresh.theirs.push(await load(yardstick.url, headers, 16, 8000, unheard()));
  }
  yardstick.stop();
  await server.stop();
  const [a, b] = [best(loads.ours), best(loads.theirs)];
  const unheardRatio = best(fresh.ours).perSecond / best(fresh.theirs).perSecond;
  report('recall, 16 connections, audit on', `${a.perSecond.toFixed(0)} /s`, '');
  report('  bare Express route', `${b.perSecond.toFixed(0)} /s`, '');
  report('  ratio of throughput', `${(a.perSecond / b.perSecond).toFixed(2)} ×`, 'aim: 0.8 ×');
  report('  the same where no intent comes twice', `${unheardRatio.toFixed(2)} ×`, 'aim: 0.5 ×');
  report('  ratio of p99', `${a.p99.toFixed(1)} / ${b.p99.toFixed(1)} ms = ${(a.p99 / b.p99).toFixed(2)} ×`, '≤ 5 ×');
  expect(a.perSecond / b.perSecond).toBeGreaterThanOrEqual(0.5);
  expect(a.p99 / b.p99).toBeLessThanOrEqual(5);
});

test('a warm recall over one connection costs at most twice a bare Express route', async () => {
  const { server, headers, url } = await started();
  const ours = keepAlive(url, headers);
  const yardstick = await bare(await ours.post(BODIES[0] ?? ''));
  const theirs = keepAlive(yardstick.url, headers);
  const times: Record<'ours' | 'theirs' | 'unheard', number[]> = { ours: [], theirs: [], unheard: [] };
  for (let round = 0; round < 20; round++) {
    const unheardOf = BODIES.map((_, i) => JSON.stringify({ intent: `${phrase(`asked ${i}`, 8)} ${round} times` }));
    for (const body of BODIES) times.ours.push(await time(() => ours.post(body)));
    for (const body of BODIES) times.theirs.push(await time(() => theirs.post(body)));
    for (const body of unheardOf) times.unheard.push(await time(() => ours.post(body)));
  }
  ours.end();
  theirs.end();
  yardstick.stop();
  await server.stop();
  const [a, b] = [spread(times.ours.slice(1000)), spread(times.theirs.slice(1000))];
  report('recall, one connection, audit on: median', `${a.median.toFixed(3)} ms`, '');
  report('  bare Express route: median', `${b.median.toFixed(3)} ms`, '');
  report('  ratio of medians', `${(a.median / b.median).toFixed(2)} ×`, '≤ 2 ×');
  const fresh = spread(times.unheard.slice(1000)).median / b.median;
  report('  the same where no intent comes twice', `${fresh.toFixed(2)} ×`, 'aim: 1.8 ×');
  report('  ratio of p99', `${(a.p99 / b.p99).toFixed(2)} ×`, '');
  expect(a.median / b.median).toBeLessThanOrEqual(2);
});

test('200,000 requests leave memory flat, and every row in the audit', async () => {
  const { repo, server, headers, url } = await started();
  // the engine lets its heap grow and shrink by a fifth, so the most of several looks counts
  const most = async () => {
    const looks: number[] = [];
    for (let look = 0; look < 4; look++) {
      await load(url, headers, 16, 25_000);
      looks.push(residentMegabytes(server.pid));
    }
    return Math.max(...looks);
  };
  const [early, late] = [await most(), await most()];
  await server.stop();
  const db = new Database(join(repo, 'audit.db'), { readonly: true });
  const { rows } = db.prepare('SELECT count(*) AS rows FROM instruction_audit').get() as { rows: number };
  db.close();
  report('most memory in 100,000 recalls', `${early.toFixed(0)} MB`, '');
  report('  in 100,000 more', `${late.toFixed(0)} MB`, '≤ + 20 %');
  report('  rows in the audit', String(rows), '200,000');
  expect(rows).toBe(200_000);
  expect(late).toBeLessThanOrEqual(early * 1.2);
});
