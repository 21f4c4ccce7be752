import { expect, test } from 'vitest';
import { serve } from '../../support/cli.ts';
import { agentName } from '../generate.ts';
import { keepAlive, report, spread, time } from '../measure.ts';
import { adminHeaders, bundleOf, residentMegabytes, UNLIMITED } from './served.ts';

test('a large bundle costs the start little', async () => {
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
});

test('memory follows what is used, and a cold garden answers nearly as soon as a warm one', async () => {
  const repo = await bundleOf({ agents: 1000, units: 12, commits: 0, touched: 0 });
  const server = await serve(UNLIMITED, repo);
  const headers = await adminHeaders(repo);
  await new Promise((resolve) => setTimeout(resolve, 6000));
  const idle = residentMegabytes(server.pid);
  const ask = async (agent: number) => {
    const client = keepAlive(`${server.url}/v1/agents/${agentName(agent)}/recall-instruction`, headers);
    const took = await time(() => client.post('{"intent":"ticket review release"}'));
    client.end();
    return took;
  };
  await ask(0);
  const cold: number[] = [];
  const warm: number[] = [];
  for (let agent = 1; agent < 1000; agent++) {
    cold.push(await ask(agent));
    warm.push(await ask(agent));
  }
  const used = residentMegabytes(server.pid);
  await server.stop();
  const [first, later] = [spread(cold), spread(warm)];
  report('memory: 1,000 gardens of 12 units, all proven, none in use', `${idle.toFixed(0)} MB`, '');
  report('  all in use', `${used.toFixed(0)} MB`, '≤ 250 MB');
  report(
    'first recall of a cold garden, above a warm one: median',
    `+ ${(first.median - later.median).toFixed(1)} ms`,
    '',
  );
  report('  p99', `+ ${(first.p99 - later.p99).toFixed(1)} ms`, '≤ + 20 ms');
  expect(used).toBeLessThanOrEqual(250);
  expect(first.p99 - later.p99).toBeLessThanOrEqual(20);
});
