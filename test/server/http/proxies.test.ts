import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { HttpOptions } from '../../../server/http/http-options.ts';
import { compiledPeers, type CompiledPeers } from '../deployment.ts';
import { rawExchange } from '../raw.ts';
import { running, type Running } from '../running.ts';

const STUB = '/v1/agents/cto/boot-stub';
const MARK = 'xmarkx';
const HERE = '127.0.0.1';
let peers: CompiledPeers;

beforeAll(async () => {
  peers = await compiledPeers();
});

type TrustProxy = HttpOptions['trustProxy'];

const behind = (trustProxy: TrustProxy) => running({ ...peers, surface: { rateLimit: 2, trustProxy } });

const forwarded = (chain: string) => ({ headers: { 'x-forwarded-for': chain } });

/** Statuses of requests without a key, one after another, each as its proxies say where it comes from. */
async function keyless(server: Running, ...chains: readonly string[]): Promise<number[]> {
  const told: number[] = [];
  for (const chain of chains) told.push((await server.ask(null, 'GET', '/openapi.json', forwarded(chain))).status);
  return told;
}

const refusals = (server: Running) => server.log.filter((it) => it['msg'] === 'request refused');

/** Which address a refused request has in the log. */
async function logged(trustProxy: TrustProxy, chain: string): Promise<unknown> {
  const server = await behind(trustProxy);
  await server.ask(null, 'GET', STUB, forwarded(chain));
  await vi.waitFor(() => {
    expect(refusals(server)).toHaveLength(1);
  });
  expect(JSON.stringify(server.log)).not.toContain(MARK);
  await server.close();
  return refusals(server)[0]?.['address'];
}

describe('callers without a key are counted', () => {
  const [one, other] = ['203.0.113.1', '203.0.113.2'];

  test('by the address that a trusted proxy forwards', async () => {
    const server = await behind(['loopback']);
    expect(await keyless(server, one, one, one, other, other, other)).toEqual([200, 200, 429, 200, 200, 429]);
  });

  test('by the socket’s, whatever they forward, where nobody is trusted', async () => {
    for (const trustProxy of [undefined, [], ['10.0.0.0/8', 'uniquelocal']]) {
      expect(await keyless(await behind(trustProxy), one, other, '203.0.113.3')).toEqual([200, 200, 429]);
    }
  });

  test('by what the proxy adds, not by what they had put before it', async () => {
    const server = await behind(['loopback']);
    expect(await keyless(server, `1.1.1.1, ${one}`, `2.2.2.2, ${one}`, `127.0.0.1, ${one}`)).toEqual([200, 200, 429]);
  });

  test('by the /64 of IPv6, and by one IPv4 address in both notations', async () => {
    const server = await behind(['loopback']);
    expect(await keyless(server, '2001:db8::1', '2001:DB8:0:0:ffff::2', '2001:db8::3')).toEqual([200, 200, 429]);
    expect(await keyless(server, '2001:db8:0:1::1', one, `::ffff:${one}`, one)).toEqual([200, 200, 200, 429]);
  });

  test('by the proxy’s address where it forwards none', async () => {
    const server = await behind(['loopback']);
    const nothing = ['unknown', '203.0.113.1:4711', 'x'.repeat(10_000), ',,,', '2130706433', 'fe80::1%1'];
    const limited = Array<number>(nothing.length - 2).fill(429);
    expect(await keyless(server, ...nothing)).toEqual([200, 200, ...limited]);
    expect(await keyless(server, one)).toEqual([200]);
  });

  test('when they show a wrong key too', async () => {
    const server = await behind(1);
    const wrong = (chain: string) =>
      server.ask(null, 'GET', STUB, { headers: { authorization: 'Bearer vade_wrong', 'x-forwarded-for': chain } });
    const told = [await wrong(one), await wrong(one), await wrong(other)].map((it) => it.code);
    expect(told).toEqual(['unauthenticated', 'rate_limited', 'unauthenticated']);
  });
});

describe('the log names of a refused caller', () => {
  test.each<[string, TrustProxy, string, string]>([
    ['the socket’s address', undefined, '203.0.113.1', HERE],
    ['the one that a trusted proxy forwards', ['127.0.0.0/8'], '203.0.113.1', '203.0.113.1'],
    [
      'the one behind several proxies',
      ['loopback', '2001:db8::/32'],
      `${MARK}, 203.0.113.1, 2001:db8::7`,
      '203.0.113.1',
    ],
    ['the first that nobody vouches for', ['loopback', '2001:db8::/32'], '203.0.113.1, 2001:db9::7', '2001:db9::7'],
    ['the one that a number of proxies forwards', 2, '9.9.9.9, 203.0.113.1, 192.0.2.1', '203.0.113.1'],
    ['the farthest there is where proxies are missing', 9, '203.0.113.1', '203.0.113.1'],
    ['the last proxy’s, where it forwards no address', ['loopback', '10.0.0.1'], `${MARK}, 10.0.0.1`, '10.0.0.1'],
    ['the socket’s, where nothing forwarded is an address', 3, `${MARK}, ${MARK}:1, fe80::1%${MARK}`, HERE],
    ['the socket’s, where the zone is free text', ['loopback'], `fe80::1%${MARK}`, HERE],
  ])('%s', async (_name, trustProxy, chain, address) => {
    expect(await logged(trustProxy, chain)).toBe(address);
  });

  test('what is forwarded in two headers as in one', async () => {
    const server = await behind(['loopback']);
    const lines = ['Host: x', 'X-Forwarded-For: 9.9.9.9', 'X-Forwarded-For: 203.0.113.1', 'Connection: close'];
    const [answer] = await rawExchange(server.url, `GET ${STUB} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    expect(answer?.code).toBe('unauthenticated');
    await vi.waitFor(() => {
      expect(refusals(server).map((it) => it['address'])).toEqual(['203.0.113.1']);
    });
  });
});

test('who has a key is counted by it, wherever the request comes from', async () => {
  const server = await behind(['loopback']);
  const told = [];
  for (const chain of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
    told.push((await server.ask('cto', 'GET', STUB, forwarded(chain))).status);
  }
  expect(told).toEqual([200, 200, 429]);
});
