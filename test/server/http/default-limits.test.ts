import { beforeAll, describe, expect, test } from 'vitest';
import { compiledPeers } from '../deployment.ts';
import { rawExchange } from '../raw.ts';
import { running, type Running } from '../running.ts';

let server: Running;

beforeAll(async () => {
  server = await running(await compiledPeers());
});

/** The answer to a request whose headers are so many bytes in all. */
async function withHeaders(bytes: number) {
  const head = 'GET /healthz HTTP/1.1\r\n';
  const fields = 'Host: 127.0.0.1\r\nConnection: close\r\nX-Large: ';
  const [answer] = await rawExchange(server.url, `${head}${fields}${'x'.repeat(bytes - fields.length)}\r\n\r\n`);
  return [answer?.status, answer?.code];
}

describe('DESIGN §6.12 a server with default limits', () => {
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
});
