import { beforeAll, describe, expect, test } from 'vitest';
import { compiledPeers } from '../deployment.ts';
import { running, type Answer, type Running, statusAndCode } from '../running.ts';

let server: Running;

beforeAll(async () => {
  server = await running(await compiledPeers());
});

const FACT = encodeURIComponent('instruction:acme/heartbeat/v1');

/** Every route that may be read. */
const READ = [
  ...['/healthz', '/readyz', '/metrics', '/openapi.json', '/v1/report', '/ui', '/ui/app.js', '/ui/app.css'],
  ...['boot-stub', 'instruction-manifest', 'instruction-manifest/coverage', 'audit', 'report'].map(
    (it) => `/v1/agents/cto/${it}`,
  ),
  `/v1/facts/${FACT}`,
];

describe('DESIGN §6.12 methods', () => {
  test.each(READ)('%s answers HEAD as GET, without a body', async (path) => {
    const [head, get] = [await server.ask('admin', 'HEAD', path), await server.ask('admin', 'GET', path)];
    expect([head.status, head.text]).toEqual([get.status, '']);
    expect(head.headers['etag']).toBe(get.headers['etag']);
  });

  test('/ leads to the page, and has no other method', async () => {
    const answer = await server.ask('admin', 'POST', '/');
    expect([...statusAndCode(answer), answer.headers['allow']]).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
  });
});

describe('§21.8.3 publishing is merging', () => {
  const put = (who: 'admin' | 'cto', id: string, json: object) =>
    server.ask(who, 'PUT', `/v1/agents/${id}/instruction-manifest`, { json });

  test('PUT of a manifest by an administrator is publish_disabled with Allow, and changes nothing', async () => {
    const manifest = () => server.ask('admin', 'GET', '/v1/agents/cto/instruction-manifest');
    const before = (await manifest()).text;
    const answer = await put('admin', 'cto', { version: 'v99', entries: [], skip_coverage_gate: true });
    expect(statusAndCode(answer)).toEqual([405, 'publish_disabled']);
    expect(answer.headers['allow']).toBe('GET, HEAD');
    expect((await manifest()).text).toBe(before);
  });
});

describe('DESIGN §6.12 unknown routes', () => {
  test.each(['/v2/agents/cto/boot-stub', '/boot-stub', '/v1/agents', '/v1/agents/cto', '/v1/agents/cto/facts'])(
    '%s is route_not_found',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        expect(statusAndCode(await server.ask('cto', method, path))).toEqual([404, 'route_not_found']);
      }
    },
  );

  test('a path that cannot be decoded is request_invalid', async () => {
    expect(statusAndCode(await server.ask('cto', 'GET', '/v1/agents/%ZZ/boot-stub'))).toEqual([400, 'request_invalid']);
  });
});

describe('the first page', () => {
  test.each(['GET', 'HEAD'])('/ leads to the page with %s, without a key', async (method) => {
    const answer = await fetch(server.url, { method, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/ui']);
    expect(answer.headers.get('x-bundle-revision')).toBe(server.revision);
  });
});

describe('DESIGN §8 health', () => {
  test('/healthz and /readyz answer without a key, and name no agent', async () => {
    const [health, ready] = [await server.ask(null, 'GET', '/healthz'), await server.ask(null, 'GET', '/readyz')];
    expect([health.status, ready.status]).toEqual([200, 200]);
    expect(health.json()).toEqual({ status: 'ok' });
    expect(ready.json()).toEqual({
      status: 'ready',
      bundle_revision: server.revision,
      fresh: null,
      refused: null,
      unavailable: null,
      held: 0,
      withdrawn: 0,
      withdrawals: { status: 'unknown', until: null, missing: 0, skipped: 0 },
      recertify_by: null,
    });
  });
});

describe('DESIGN §8 every answer', () => {
  const answers: [name: string, ask: () => Promise<Answer>, status: number][] = [
    ['a success', () => server.ask('cto', 'GET', '/v1/agents/cto/boot-stub'), 200],
    ['a closing', async () => close(), 204],
    ['a bad request', () => server.recall('cto', 'cto', {}), 400],
    ['no key', () => server.ask(null, 'GET', '/v1/agents/cto/boot-stub'), 401],
    ['a denial', () => server.ask('cto', 'GET', '/v1/agents/ct/boot-stub'), 403],
    ['an unknown route', () => server.ask(null, 'GET', '/nowhere'), 404],
    ['a wrong method', () => server.ask(null, 'POST', '/healthz'), 405],
    ['a too large body', () => server.recall('cto', 'cto', { intent: 'x'.repeat(70_000) }), 413],
    ['health', () => server.ask(null, 'GET', '/healthz'), 200],
  ];
  const close = async () => {
    const { audit_token } = (await server.recall('cto', 'cto', { intent: 'hand over' })).json();
    return server.ask('cto', 'POST', '/v1/instruction/audit', { json: { audit_token } });
  };

  test.each(answers)(
    'the answer to %s names the bundle’s revision, and not the server software',
    async (_name, ask, status) => {
      const answer = await ask();
      expect(answer.status).toBe(status);
      expect(answer.headers['x-bundle-revision']).toBe(server.revision);
      expect(answer.headers).not.toHaveProperty('x-powered-by');
      expect(answer.headers).not.toHaveProperty('server');
    },
  );
});
