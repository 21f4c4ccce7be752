import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { compiledPeers, type CompiledPeers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

let peers: CompiledPeers;
let server: Running;
beforeAll(async () => {
  peers = await compiledPeers();
  server = await running(peers);
});

/** The status of an answer, by path and `Host`. */
function statusOf({ url, keys }: Running, path: string, host: string, method = 'GET'): Promise<number | undefined> {
  const headers = { host, authorization: `Bearer ${keys.admin}` };
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, url), { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject);
    asked.end();
  });
}

const DOORS = ['/', '/ui', '/healthz', '/readyz', '/metrics', '/v1/report', '/openapi.json', '/mcp', '/nothing'];

describe('SECURITY §4 a name that leads to this machine opens no door (DNS rebinding)', () => {
  test.each(DOORS)('%s refuses the name of another site', async (path) => {
    const { port } = new URL(server.url);
    for (const host of [`evil.example:${port}`, 'evil.example', `localhost.evil.example:${port}`, '169.254.1.1'])
      expect([host, await statusOf(server, path, host)]).toEqual([host, 403]);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect(await statusOf(server, path, host)).not.toBe(403);
  });

  test('--allow-host names a forwarded port, with its port or without', async () => {
    const named = await running({ ...peers, http: { allowHosts: ['Dev.example.com', 'other.example:8443'] } });
    expect(await statusOf(named, '/v1/report', 'dev.example.com:443')).toBe(200);
    expect(await statusOf(named, '/v1/report', 'other.example:8443')).toBe(200);
    expect(await statusOf(named, '/v1/report', 'other.example:9')).toBe(403);
  });

  test('the names that a trusted proxy asks for are its own affair', async () => {
    const behind = await running({ ...peers, http: { trustProxy: ['loopback'] } });
    expect(await statusOf(behind, '/v1/report', 'acme.example')).toBe(200);
  });
});
