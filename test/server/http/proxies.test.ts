import { beforeAll, describe, expect, test } from 'vitest';
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

const behind = (trustProxy: TrustProxy) => running({ ...peers, http: { rateLimit: 2, trustProxy } });

const forwarded = (chain: string) => ({ headers: { 'x-forwarded-for': chain } });

/** Statuses of requests without a key, one after another, each with an `X-Forwarded-For`. */
async function keyless(server: Running, ...chains: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const chain of chains) statuses.push((await server.ask(null, 'GET', '/openapi.json', forwarded(chain))).status);
  return statuses;
}

const refusals = (server: Running) => server.log.filter((it) => it['msg'] === 'request refused');

/** The address of a refused request in the log. */
async function logged(trustProxy: TrustProxy, chain: string): Promise<unknown> {
  const server = await behind(trustProxy);
  await server.ask(null, 'GET', STUB, forwarded(chain));
  await expect.poll(() => refusals(server)).toHaveLength(1);
  expect(JSON.stringify(server.log)).not.toContain(MARK);
  await server.close();
  return refusals(server)[0]?.['address'];
}

describe('rate limits of callers without a key', () => {
  const [one, other] = ['203.0.113.1', '203.0.113.2'];

  test('callers without a key are counted by the address that a trusted proxy forwards', async () => {
    const server = await behind(['loopback']);
    expect(await keyless(server, one, one, one, other, other, other)).toEqual([200, 200, 429, 200, 200, 429]);
  });

  test('callers without a key are counted by the socket’s address if no proxy is trusted', async () => {
    for (const trustProxy of [undefined, [], ['10.0.0.0/8', 'uniquelocal']]) {
      expect(await keyless(await behind(trustProxy), one, other, '203.0.113.3')).toEqual([200, 200, 429]);
    }
  });

  test('callers without a key are counted by the address that the proxy adds, not by addresses before it', async () => {
    const server = await behind(['loopback']);
    expect(await keyless(server, `1.1.1.1, ${one}`, `2.2.2.2, ${one}`, `127.0.0.1, ${one}`)).toEqual([200, 200, 429]);
  });

  test('IPv6 callers are counted by their /64, and an IPv4 address is the same in both notations', async () => {
    const server = await behind(['loopback']);
    expect(await keyless(server, '2001:db8::1', '2001:DB8:0:0:ffff::2', '2001:db8::3')).toEqual([200, 200, 429]);
    expect(await keyless(server, '2001:db8:0:1::1', one, `::ffff:${one}`, one)).toEqual([200, 200, 200, 429]);
  });

  test('callers without a key are counted by the proxy’s address if it forwards no valid address', async () => {
    const server = await behind(['loopback']);
    const nothing = ['unknown', '203.0.113.1:4711', 'x'.repeat(10_000), ',,,', '2130706433', 'fe80::1%1'];
    const limited = Array<number>(nothing.length - 2).fill(429);
    expect(await keyless(server, ...nothing)).toEqual([200, 200, ...limited]);
    expect(await keyless(server, one)).toEqual([200]);
  });

  test('callers with a wrong key are counted by the forwarded address', async () => {
    const server = await behind(1);
    const wrong = (chain: string) =>
      server.ask(null, 'GET', STUB, { headers: { authorization: 'Bearer vade_wrong', 'x-forwarded-for': chain } });
    const statuses = [await wrong(one), await wrong(one), await wrong(other)].map((it) => it.code);
    expect(statuses).toEqual(['unauthenticated', 'rate_limited', 'unauthenticated']);
  });
});

describe('the address of a refused caller in the log', () => {
  test.each<[string, TrustProxy, string, string]>([
    ['the socket’s address', undefined, '203.0.113.1', HERE],
    ['the address that a trusted proxy forwards', ['127.0.0.0/8'], '203.0.113.1', '203.0.113.1'],
    [
      'the address behind several proxies',
      ['loopback', '2001:db8::/32'],
      `${MARK}, 203.0.113.1, 2001:db8::7`,
      '203.0.113.1',
    ],
    [
      'the first address that is not a trusted proxy',
      ['loopback', '2001:db8::/32'],
      '203.0.113.1, 2001:db9::7',
      '2001:db9::7',
    ],
    ['the address that a given number of proxies forwards', 2, '9.9.9.9, 203.0.113.1, 192.0.2.1', '203.0.113.1'],
    ['the first address if there are fewer proxies than configured', 9, '203.0.113.1', '203.0.113.1'],
    ['the last proxy’s address if it forwards no valid one', ['loopback', '10.0.0.1'], `${MARK}, 10.0.0.1`, '10.0.0.1'],
    ['the socket’s address if no forwarded entry is an address', 3, `${MARK}, ${MARK}:1, fe80::1%${MARK}`, HERE],
    ['the socket’s address if the forwarded zone is free text', ['loopback'], `fe80::1%${MARK}`, HERE],
  ])('the log has %s', async (_name, trustProxy, chain, address) => {
    expect(await logged(trustProxy, chain)).toBe(address);
  });

  test('two X-Forwarded-For headers are read as one', async () => {
    const server = await behind(['loopback']);
    const lines = ['Host: x', 'X-Forwarded-For: 9.9.9.9', 'X-Forwarded-For: 203.0.113.1', 'Connection: close'];
    const [answer] = await rawExchange(server.url, `GET ${STUB} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    expect(answer?.code).toBe('unauthenticated');
    await expect.poll(() => refusals(server).map((it) => it['address'])).toEqual(['203.0.113.1']);
  });
});

test('a caller with a key is counted by its key, from any address', async () => {
  const server = await behind(['loopback']);
  const statuses = [];
  for (const chain of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
    statuses.push((await server.ask('cto', 'GET', STUB, forwarded(chain))).status);
  }
  expect(statuses).toEqual([200, 200, 429]);
});
