import { expect, test } from 'vitest';
import { compiledPeers, expiringPeers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

const END = Date.parse('2030-01-01T00:00:00Z');
const DAY_MS = 86_400_000;
const warned = ({ log }: Running) => log.filter(({ expiring }) => expiring !== undefined);

test('DESIGN §7 a running server warns once when its trust root comes within 30 days of its end', async () => {
  let now = END - 31 * DAY_MS;
  const server = await running({ ...(await expiringPeers(END)), now: () => now, follow: { pollMs: 10 } });
  expect(warned(server)).toEqual([]);
  now = END - 29 * DAY_MS;
  await expect.poll(() => warned(server)).toMatchObject([{ level: 40, trust_root: 1, expiring: [expect.any(String)] }]);
  now += DAY_MS;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(warned(server)).toHaveLength(1);
  now = END;
  await expect.poll(() => warned(server)).toHaveLength(2);
});

test('DESIGN §7 a server warns at its start, and only of what expires', async () => {
  const ending = await running({ ...(await expiringPeers(END)), now: () => END - DAY_MS });
  expect(warned(ending)).toHaveLength(1);
  expect(warned(await running(await compiledPeers()))).toEqual([]);
});
