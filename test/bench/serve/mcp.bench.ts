import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadGarden, loadShared } from '../../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import { openQueries } from '../../../compiler/io/models/encoder.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { pinnedRoot } from '../../../compiler/world/trust-keys.ts';
import { pagesIn, textIn, type Message } from '../../server/mcp/asking.ts';
import { serve, vade } from '../../support/cli.ts';
import { worldIn } from '../../support/world.ts';
import { agentName, phrase } from '../generate.ts';
import { keepAlive, report, spread, time } from '../measure.ts';
import { bundleOf, UNLIMITED } from './served.ts';

const MAIN = fileURLToPath(new URL('../../../dist/compiler/cli/main.js', import.meta.url));
const AGENT = agentName(0);
const REVISION = '2025-11-25';
const WARM_UP = 200;
const MEASURED = 2000;

/** Intents of which none comes twice. */
const intentOf = (i: number) => `${phrase(`asked ${i}`, 8)} ${i} times`;

const callOf = (id: number) =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name: 'recall_instruction', arguments: { intent: intentOf(id) } },
  });

const INITIALIZE = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 'first', method: 'initialize' },
  params: { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});

const bundle = () => bundleOf({ agents: 4, units: 12, commits: 2, touched: 10 });

/** Chunks of an answer: a call that fails has none, and would be fast for nothing. */
function chunksIn(message: string): unknown[] {
  const { result } = JSON.parse(message) as Message;
  return pagesIn(textIn(result));
}

test('a recall over MCP and HTTP takes at most three times a recall by HTTP', async () => {
  const repo = await bundle();
  const server = await serve(UNLIMITED, repo);
  const { envelope } = await vade(['key', 'create', '--dev', '--agent', AGENT], repo);
  const headers = {
    authorization: `Bearer ${String(envelope().data['key'])}`,
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    'mcp-protocol-version': REVISION,
  };
  // a key is known within a second
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const plain = keepAlive(`${server.url}/v1/agents/${AGENT}/recall-instruction`, headers);
  const mcp = keepAlive(`${server.url}/mcp`, headers);
  const answer = (await mcp.post(callOf(0))).toString('utf8');
  expect(chunksIn(/\{.*\}/.exec(answer)?.[0] ?? '')).not.toEqual([]);
  const times: { plain: number[]; mcp: number[] } = { plain: [], mcp: [] };
  for (let i = 1; i <= WARM_UP + MEASURED; i++) {
    times.plain.push(await time(() => plain.post(JSON.stringify({ intent: intentOf(-i) }))));
    times.mcp.push(await time(() => mcp.post(callOf(i))));
  }
  plain.end();
  mcp.end();
  await server.stop();
  const [a, b] = [spread(times.mcp.slice(WARM_UP)), spread(times.plain.slice(WARM_UP))];
  report('recall over MCP and HTTP: median', `${a.median.toFixed(3)} ms`, '');
  report('  recall by HTTP: median', `${b.median.toFixed(3)} ms`, '');
  report('  ratio of medians', `${(a.median / b.median).toFixed(2)} ×`, '≤ 3 ×');
  expect(a.median / b.median).toBeLessThanOrEqual(3);
});

test('vade mcp answers within a second of its start, and then within 2 ms of a recall in this process', async () => {
  const repo = await bundle();
  const firsts: number[] = [];
  for (let round = 0; round < 5; round++) {
    const host = hostOf(repo);
    firsts.push(
      await time(async () => {
        await host.ask(INITIALIZE);
        await host.ask(callOf(round));
      }),
    );
    await host.end();
  }
  const host = hostOf(repo);
  await host.ask(INITIALIZE);
  expect(chunksIn(await host.ask(callOf(0)))).not.toEqual([]);
  const here = await recallHere(repo);
  const times: { stdio: number[]; here: number[] } = { stdio: [], here: [] };
  for (let i = 1; i <= WARM_UP + MEASURED; i++) {
    times.here.push(await time(() => here(intentOf(-i))));
    times.stdio.push(await time(() => host.ask(callOf(i))));
  }
  await host.end();
  const first = spread(firsts).median;
  const [a, b] = [spread(times.stdio.slice(WARM_UP)), spread(times.here.slice(WARM_UP))];
  report('vade mcp: from start to the first answer, median', `${first.toFixed(0)} ms`, '≤ 1000 ms');
  report('  later answers: median', `${a.median.toFixed(3)} ms`, '');
  report('  recall in this process: median', `${b.median.toFixed(3)} ms`, '');
  report('  more than that', `${(a.median - b.median).toFixed(3)} ms`, '≤ 2 ms');
  expect(first).toBeLessThanOrEqual(1000);
  expect(a.median - b.median).toBeLessThanOrEqual(2);
});

/** A host that starts `vade mcp`, and asks one thing after the other. */
function hostOf(repo: string) {
  const args = [MAIN, 'mcp', '--dev', '--agent', AGENT];
  const child = spawn(process.execPath, args, { cwd: repo, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout });
  return {
    ask: async (message: string): Promise<string> => {
      const answer = once(lines, 'line') as Promise<[string]>;
      child.stdin.write(`${message}\n`);
      return (await answer)[0];
    },
    end: () => (child.stdin.end(), ended),
  };
}

/** Recall without a transport and without an audit. */
async function recallHere(repo: string): Promise<(intent: string) => Promise<unknown>> {
  const now = new Date().toISOString();
  const opened = openBundle(join(repo, 'bundle'), {
    pinned: pinnedRoot({ trust: undefined, dev: true }, worldIn(repo)),
    now,
  });
  const queries = await openQueries(opened.org.model, join(repo, '.vade/models'), {});
  const garden = loadGarden(opened, AGENT, loadShared(opened)).recall;
  return async (intent) => {
    const query = await queries(intent, garden.index);
    return recall(garden, RecallRequest.parse({ intent }), { now, query, explain: false });
  };
}
