import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { CONNECTION_LIMITS } from '../../../server/http/connections.ts';
import { compiledPeers, type CompiledPeers } from '../deployment.ts';
import { rawExchange } from '../raw.ts';
import { running, type Running } from '../running.ts';

const STUB = '/v1/agents/cto/boot-stub';
let peers: CompiledPeers;

beforeAll(async () => {
  peers = await compiledPeers();
});

const get = (server: Running, path: string, key: string) =>
  fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } });

/** The statuses of a number of requests, one after another. */
async function statuses(times: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const results: number[] = [];
  for (let i = 0; i < times; i++) results.push((await ask()).status);
  return results;
}

describe('DESIGN §6.12 rate limits', () => {
  let server: Running;
  beforeAll(async () => {
    server = await running({ ...peers, http: { rateLimit: 5 } });
  });

  test('answers name the remaining requests, and a request beyond the limit is rate_limited with Retry-After', async () => {
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await get(server, STUB, server.keys.cto));
    expect(answers.map((it) => it.status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"agent";q=5;w=60');
    expect(answers.map((it) => /r=(\d+)/.exec(it.headers.get('ratelimit') ?? '')?.[1])).toEqual([
      '4',
      '3',
      '2',
      '1',
      '0',
      '0',
    ]);
    const last = answers[5];
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await last?.json()).toMatchObject({ error: { code: 'rate_limited', retryable: true } });
  });

  test('requests of every path count, known or not', async () => {
    const paths = ['/v1/agents/ct/boot-stub', '/v1/nowhere', '/v1/agents/cto/boot-stub', '/v1/facts/x', '/v1/nowhere'];
    const results = [];
    for (const path of [...paths, '/v1/nowhere']) results.push((await server.ask('ct', 'GET', path)).status);
    expect(results).toEqual([200, 404, 403, 400, 404, 429]);
  });

  test('wrong keys have a tenth of the limit, and a valid key from the same address is not affected', async () => {
    expect(await statuses(3, () => get(server, STUB, 'vade_wrong'))).toEqual([401, 429, 429]);
    expect((await get(server, '/v1/agents/ghost/boot-stub', server.keys.admin)).status).toBe(404);
  });

  test('requests without a key are counted by address; probes are not counted', async () => {
    expect(await statuses(6, () => fetch(`${server.url}/openapi.json`))).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await fetch(`${server.url}/nowhere`)).status).toBe(429);
    expect(await statuses(20, () => fetch(`${server.url}/healthz`))).toEqual(Array<number>(20).fill(200));
    expect(await statuses(20, () => fetch(`${server.url}/readyz`))).toEqual(Array<number>(20).fill(200));
  });
});

describe('slow clients are disconnected', () => {
  const connections = { ...CONNECTION_LIMITS, headersMs: 200, requestMs: 400, idleMs: 200, answerMs: 300, checkMs: 50 };
  let server: Running;
  beforeAll(async () => {
    server = await running({ ...peers, http: { connections } });
  });

  const head = (length: number) =>
    `POST /v1/agents/cto/recall-instruction HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${server.keys.cto}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  test('a client that does not complete its headers gets request_invalid', async () => {
    const [answer] = await rawExchange(server.url, 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
    expect([answer?.status, answer?.code]).toEqual([400, 'request_invalid']);
    expect(answer?.headers['x-bundle-revision']).toBe(server.revision);
  });

  test('a client that does not complete its body gets request_invalid', async () => {
    const answers = await rawExchange(server.url, `${head(100)}{"intent":`);
    expect(answers.map((it) => it.code)).toEqual(['request_invalid']);
  });

  test('an idle connection is closed', async () => {
    const [answer] = await rawExchange(server.url, 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    expect(answer?.status).toBe(200);
  });

  test('a client that does not read its answers is disconnected, and others are still answered', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.pause();
    const closed = new Promise<void>((resolve) => {
      socket
        .on('error', () => undefined)
        .once('close', () => {
          resolve();
        });
    });
    const ask = `GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`.repeat(50);
    // far more than the kernel buffers for a client that does not read
    const timer = setInterval(() => socket.write(ask), 5);
    await closed;
    clearInterval(timer);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe('DESIGN §6.12 default limits, and malformed HTTP', () => {
  let server: Running;
  beforeAll(async () => {
    server = await running(peers);
  });
  /** The answer to a request whose headers are so many bytes in all. */
  async function withHeaders(bytes: number) {
    const head = 'GET /healthz HTTP/1.1\r\n';
    const fields = 'Host: 127.0.0.1\r\nConnection: close\r\nX-Large: ';
    const [answer] = await rawExchange(server.url, `${head}${fields}${'x'.repeat(bytes - fields.length)}\r\n\r\n`);
    return [answer?.status, answer?.code];
  }

  test('a server with default limits announces a keep-alive timeout of 65 seconds', async () => {
    const answer = await fetch(`${server.url}/healthz`);
    expect(answer.headers.get('keep-alive')).toBe('timeout=65');
  });

  test('a server with default limits accepts 16,000 bytes of headers', async () => {
    expect(await withHeaders(16_000)).toEqual([200, undefined]);
  });

  test('a server with default limits refuses 16,800 bytes of headers', async () => {
    expect(await withHeaders(16_800)).toEqual([400, 'request_invalid']);
  });

  const lines = (...more: string[]) => `GET /healthz HTTP/1.1\r\n${more.map((it) => `${it}\r\n`).join('')}\r\n`;

  test.each<[string, () => string]>([
    ['noise', () => '\u0016\u0003\u0001 noise\r\n\r\n'],
    ['no host', () => lines()],
    ['two hosts', () => lines('Host: 127.0.0.1', 'Host: localhost')],
    ['two authorizations', () => lines('Host: 127.0.0.1', 'Authorization: Bearer a', 'Authorization: Bearer b')],
    [
      'more headers than are read',
      () => lines('Host: 127.0.0.1', ...Array.from({ length: 150 }, (_, i) => `X-${i}: 1`)),
    ],
    ['too large headers', () => lines('Host: 127.0.0.1', `X-Large: ${'x'.repeat(20_000)}`)],
    [
      'a length together with chunks',
      () => lines('Host: 127.0.0.1', 'Content-Length: 3', 'Transfer-Encoding: chunked'),
    ],
    ['two lengths', () => lines('Host: 127.0.0.1', 'Content-Length: 3', 'Content-Length: 4')],
    ['a header name with a space', () => lines('Host: 127.0.0.1', 'X Y: 1')],
    ['a bare line feed in a header', () => lines('Host: 127.0.0.1', 'X: a\nY')],
  ])('a request with %s is request_invalid', async (_name, request) => {
    const answers = await rawExchange(server.url, request());
    expect(answers.map((it) => [it.status, it.code])).toEqual([[400, 'request_invalid']]);
    expect(answers[0]?.headers).toMatchObject({ 'cache-control': 'no-store', 'x-bundle-revision': server.revision });
  });

  test('an unknown expectation is ignored', async () => {
    const [answer] = await rawExchange(server.url, lines('Host: 127.0.0.1', 'Expect: miracles', 'Connection: close'));
    expect(answer?.status).toBe(200);
  });
});
