import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { serve, vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { agentName, generate, phrase, type Shape } from './generate.ts';
import { keepAlive, report, spread, time } from './measure.ts';

async function bundleOf(shape: Shape): Promise<string> {
  const repo = join(tempFolder(), 'repo');
  mkdirSync(repo);
  generate(repo, shape);
  const { code } = await vade(['compile', '--dev', '--quiet'], repo);
  expect(code).toBe(0);
  return repo;
}

async function adminKey(repo: string): Promise<string> {
  const { envelope } = await vade(['key', 'create', '--admin', 'bench/human/bench'], repo);
  return String(envelope().data['key']);
}

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

const residentMegabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

test('a warm recall over one connection costs at most three times a bare Express route', async () => {
  const repo = await bundleOf({ agents: 4, units: 12, commits: 2, touched: 10 });
  const server = await serve(['--dev'], repo);
  const authorization = `Bearer ${await adminKey(repo)}`;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const headers = { authorization, 'content-type': 'application/json' };
  const ours = keepAlive(`${server.url}/v1/agents/${agentName(0)}/recall-instruction`, headers);
  const bodies = Array.from({ length: 200 }, (_, i) => JSON.stringify({ intent: phrase(`asked ${i}`, 8) }));
  const yardstick = await bare(await ours.post(bodies[0] ?? ''));
  const theirs = keepAlive(yardstick.url, headers);
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let round = 0; round < 20; round++) {
    for (const body of bodies) times.ours.push(await time(() => ours.post(body)));
    for (const body of bodies) times.theirs.push(await time(() => theirs.post(body)));
  }
  ours.end();
  theirs.end();
  yardstick.stop();
  await server.stop();
  const [a, b] = [spread(times.ours.slice(1000)), spread(times.theirs.slice(1000))];
  report('recall over HTTP, audit on: median', `${a.median.toFixed(3)} ms`, '');
  report('  bare Express route: median', `${b.median.toFixed(3)} ms`, '');
  report('  ratio of medians', `${(a.median / b.median).toFixed(2)} ×`, '≤ 3 ×');
  report('  ratio of p99', `${(a.p99 / b.p99).toFixed(2)} ×`, '');
  expect(a.median / b.median).toBeLessThanOrEqual(3);
});

test('a large bundle costs the start little, and memory follows what is used', async () => {
  const small = await bundleOf({ agents: 1, units: 10, commits: 0, touched: 0 });
  const large = await bundleOf({ agents: 1000, units: 10, commits: 0, touched: 0 });
  const starts: Record<'small' | 'large', number[]> = { small: [], large: [] };
  for (let round = 0; round < 5; round++) {
    for (const [name, repo] of [
      ['small', small],
      ['large', large],
    ] as const) {
      let stop: (() => Promise<unknown>) | undefined;
      starts[name].push(
        await time(async () => {
          stop = (await serve(['--dev'], repo)).stop;
        }),
      );
      await stop?.();
    }
  }
  const [a, b] = [spread(starts.small).median, spread(starts.large).median];
  report('start to ready: 10 units', `${a.toFixed(0)} ms`, '');
  report('  10,000 units in 1,000 gardens', `${b.toFixed(0)} ms = + ${(b - a).toFixed(0)} ms`, '≤ + 1,500 ms');
  expect(b - a).toBeLessThanOrEqual(1500);

  const server = await serve(['--dev'], large);
  const authorization = `Bearer ${await adminKey(large)}`;
  await new Promise((resolve) => setTimeout(resolve, 4000));
  const idle = residentMegabytes(server.pid);
  const use = async (from: number, to: number) => {
    for (let agent = from; agent < to; agent++) {
      const headers = { authorization, 'content-type': 'application/json' };
      const client = keepAlive(`${server.url}/v1/agents/${agentName(agent)}/recall-instruction`, headers);
      await client.post('{"intent":"ticket review release"}');
      client.end();
    }
    return residentMegabytes(server.pid);
  };
  const ten = await use(0, 10);
  const all = await use(10, 1000);
  await server.stop();
  report('memory: 1,000 gardens on disk, all proven, none in use', `${idle.toFixed(0)} MB`, '');
  report('  10 in use', `${ten.toFixed(0)} MB`, '');
  report('  1,000 in use', `${all.toFixed(0)} MB`, '');
  expect(ten).toBeLessThan(all);
});
