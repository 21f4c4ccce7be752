import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { writeKeyFile } from '../../../compiler/world/key-file.ts';
import { compiledPeers, type CompiledPeers } from '../deployment.ts';
import { running, type Who, type Running } from '../running.ts';

let peers: CompiledPeers;

beforeAll(async () => {
  peers = await compiledPeers();
});

const statusOf = async (server: Running, who: Who, agent: string) =>
  (await server.ask(who, 'GET', `/v1/agents/${agent}/boot-stub`)).status;
const becomes = (status: number, ask: () => Promise<number>) =>
  vi.waitFor(async () => {
    expect(await ask()).toBe(status);
  }, 30_000);

describe('DESIGN §8 a running server reloads its key file', () => {
  test('a revoked key becomes unauthenticated, and other keys stay valid', async () => {
    const server = await running(peers);
    const { cto, cto2 } = server.records;
    expect(await statusOf(server, 'cto', 'cto')).toBe(200);
    writeKeyFile(server.keyFile, [{ ...cto, revoked_at: '2026-01-02T00:00:00Z' }, cto2]);
    await becomes(401, () => statusOf(server, 'cto', 'cto'));
    expect(await statusOf(server, 'cto2', 'cto2')).toBe(200);
  });

  test('a key that is added gives access to its garden', async () => {
    const server = await running(peers);
    const { cto, cto2 } = server.records;
    writeKeyFile(server.keyFile, [cto]);
    await becomes(401, () => statusOf(server, 'cto2', 'cto2'));
    writeKeyFile(server.keyFile, [cto, cto2]);
    await becomes(200, () => statusOf(server, 'cto2', 'cto2'));
  });

  test('an unreadable key file leaves the last keys in force, and is logged without its content', async () => {
    const server = await running(peers);
    writeFileSync(server.keyFile, 'swordfish {');
    await vi.waitFor(() => {
      expect(server.log.filter((it) => it['level'] === 50)).not.toHaveLength(0);
    }, 30_000);
    expect(JSON.stringify(server.log)).not.toContain('swordfish');
    expect(await statusOf(server, 'cto', 'cto')).toBe(200);
    expect(await statusOf(server, 'revoked', 'cto')).toBe(401);
  });
});
