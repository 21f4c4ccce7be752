import { beforeAll, describe, expect, test } from 'vitest';
import { compiledPeers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

let server: Running;

beforeAll(async () => {
  server = await running(await compiledPeers());
});

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}${path}`, { method, headers: { authorization: `Bearer ${server.keys.cto}`, ...headers } });

describe('every answer', () => {
  const paths = ['/healthz', '/v1/agents/cto/boot-stub', '/v1/agents/ct/boot-stub', '/nowhere', '/openapi.json'];

  test.each(paths)(
    'the answer of %s cannot be sniffed, framed or read by another origin, and names no server software',
    async (path) => {
      const { headers } = await ask(path, { origin: 'https://elsewhere.example' });
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      const named = [...headers.keys()];
      expect(named.filter((it) => /^(access-control-|x-powered-by$|server$|set-cookie$|strict-)/.test(it))).toEqual([]);
    },
  );

  test('a preflight request gets the status 405, because there is no CORS', async () => {
    const answer = await ask('/v1/agents/cto/boot-stub', { 'access-control-request-method': 'GET' }, 'OPTIONS');
    expect(answer.status).toBe(405);
    expect([...answer.headers.keys()].filter((it) => it.startsWith('access-control-'))).toEqual([]);
  });

  test.each([
    ['/v1/agents/cto/boot-stub', 'private, no-cache'],
    ['/v1/agents/cto/instruction-manifest', 'private, no-cache'],
    ['/v1/facts/instruction:acme%2Fheartbeat%2Fv1', 'no-store'],
    ['/v1/agents/ct/boot-stub', 'no-store'],
    ['/readyz', 'no-store'],
  ])('%s has the Cache-Control %s', async (path, kept) => {
    expect((await ask(path)).headers.get('cache-control')).toBe(kept);
  });
});

describe('X-Request-Id', () => {
  test.each(['a', 'req-1.2:3_4', 'f'.repeat(128)])('the X-Request-Id %s is used', async (id) => {
    expect((await ask('/healthz', { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
  });

  test.each(['', 'a b', 'f'.repeat(129), '{"a":1}', 'a, b', 'é'])(
    'the X-Request-Id “%s” is replaced by a generated one',
    async (id) => {
      const given = (await ask('/healthz', { 'x-request-id': id })).headers.get('x-request-id');
      expect(given).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('each request without an X-Request-Id gets a new one', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await ask('/healthz')).headers.get('x-request-id')));
    expect(new Set(ids).size).toBe(3);
  });
});

describe('one URL per resource', () => {
  test.each([
    '/Healthz',
    '/healthz/',
    '/V1/agents/cto/boot-stub',
    '/v1/agents/cto/boot-stub/',
    '//healthz',
    '/v1//agents',
  ])('%s is route_not_found', async (path) => {
    const answer = await ask(path);
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      404,
      'route_not_found',
    ]);
  });
});
