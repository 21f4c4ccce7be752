import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { serve } from '../../support/cli.ts';
import { tempFolder } from '../../support/folder.ts';
import { agentName, phrase } from '../generate.ts';
import { report, type Spread } from '../measure.ts';
import { beginLoad, post, spreadBetween } from '../serve/load.ts';
import { adminHeaders, bundleOf, residentMegabytes, UNLIMITED } from '../serve/served.ts';
import { richUpsertAt } from './rich-capsules.ts';

const SECONDS = 8;
const ROUNDS = 3;
/** Between two capsules, in milliseconds. */
const EVERY = 40;
const BODIES = Array.from({ length: 200 }, (_, i) => JSON.stringify({ intent: phrase(`asked ${i}`, 8) }));

async function started() {
  const repo = await bundleOf({ agents: 4, units: 12, commits: 2, touched: 10 });
  const server = await serve([...UNLIMITED, '--continuity', join(tempFolder(), 'capsules')], repo);
  const headers = await adminHeaders(repo);
  // a key is known within a second
  await sleep(1500);
  return { server, headers };
}

let clock = Date.now() - 86_400_000;

/** Writes capsules of ten kilobytes, about 25 a second, until it is told to end; then it says how many. */
function beginWrites(url: string, headers: Readonly<Record<string, string>>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const one = async () => {
    clock += 1000;
    const body = JSON.stringify(richUpsertAt(`subject-${clock}`, clock));
    const { response, text } = await post(`${url}/v1/continuity/upsert`, headers, agent, body);
    return response.statusCode === 201 ? 'written' : text;
  };
  const writes: Promise<string>[] = [];
  const timer = setInterval(() => void writes.push(one()), EVERY);
  return async () => {
    clearInterval(timer);
    const answers = await Promise.all(writes);
    agent.destroy();
    expect(answers.filter((it) => it !== 'written')).toEqual([]);
    return answers.length;
  };
}

test('a recall waits at its p99 at most four times as long while capsules are written', async () => {
  const { server, headers } = await started();
  const url = `${server.url}/v1/agents/${agentName(0)}/recall-instruction`;
  const load = beginLoad({ url, headers, bodies: BODIES, connections: 2, pauseMs: 2 });
  const took = { alone: [] as Spread[], beside: [] as Spread[] };
  let written = 0;
  await sleep(3000);
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of ['alone', 'beside'] as const) {
      const end = kind === 'beside' ? beginWrites(server.url, headers) : null;
      await sleep(500);
      const from = performance.now();
      await sleep(SECONDS * 1000);
      took[kind].push(spreadBetween(load.answers, from, performance.now()));
      written += (await end?.()) ?? 0;
    }
  }
  await load.end();
  report('a server with capsules: resident', `${residentMegabytes(server.pid).toFixed(0)} MB`, '');
  await server.stop();
  expect(load.failures).toEqual([]);
  const best = (name: keyof Spread, spreads: readonly Spread[]) => Math.min(...spreads.map((it) => it[name]));
  const [alone, beside] = [best('p99', took.alone), best('p99', took.beside)];
  const shown = (spreads: readonly Spread[]) =>
    `${best('median', spreads).toFixed(1)}, ${best('p99', spreads).toFixed(1)} ms`;
  report('recall: p50, p99', shown(took.alone), '');
  report(`  beside ${(written / (ROUNDS * (SECONDS + 0.5))).toFixed(0)} capsules a second`, shown(took.beside), '');
  report('  ratio of p99', `${(beside / alone).toFixed(1)} ×`, '≤ 4 ×');
  expect(beside / alone).toBeLessThanOrEqual(4);
});
