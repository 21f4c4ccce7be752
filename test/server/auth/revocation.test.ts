import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeKeyFile } from '../../../compiler/world/key-file.ts';
import { compiledPeers } from '../deployment.ts';
import { running, type Who } from '../running.ts';

test('DESIGN §8 a running server reloads its key file, and keeps the last keys where it cannot be read', async () => {
  const server = await running(await compiledPeers());
  const { cto, cto2 } = server.records;
  const statusOf = async (who: Who, agent: string) =>
    (await server.ask(who, 'GET', `/v1/agents/${agent}/boot-stub`)).status;
  const becomes = (expected: number, who: Who, agent: string) =>
    expect.poll(() => statusOf(who, agent), { timeout: 30_000 }).toBe(expected);
  expect(await statusOf('cto', 'cto')).toBe(200);
  writeKeyFile(server.keyFile, [{ ...cto, revoked_at: '2026-01-02T00:00:00Z' }, cto2]);
  await becomes(401, 'cto', 'cto');
  expect(await statusOf('cto2', 'cto2')).toBe(200);
  writeKeyFile(server.keyFile, [cto]);
  await becomes(200, 'cto', 'cto');
  expect(await statusOf('cto2', 'cto2')).toBe(401);
  writeFileSync(server.keyFile, 'swordfish {');
  await expect.poll(() => server.log.filter((it) => it['level'] === 50), { timeout: 30_000 }).not.toHaveLength(0);
  expect(JSON.stringify(server.log)).not.toContain('swordfish');
  expect([await statusOf('cto', 'cto'), await statusOf('cto2', 'cto2')]).toEqual([200, 401]);
});
