import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../compiler/schema/errors.ts';
import { OPERATIONS } from '../../../server/http/operations.ts';
import { allowOf } from '../../../server/http/routing.ts';
import { errorsOf, type Contract } from '../../../server/operations/operation.ts';
import { assertContract, OPENAPI } from '../contract.ts';
import { compiledPeers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

let server: Running;

beforeAll(async () => {
  server = await running(await compiledPeers());
});

const operations: readonly (readonly [string, Contract])[] = Object.entries(OPERATIONS);
const filled = (path: string) => path.replace('{agent_id}', 'cto').replace('{fact_uri}', 'instruction:acme%2Fx%2Fv1');

describe('/openapi.json', () => {
  test('/openapi.json is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(
      JSON.parse(JSON.stringify(OPENAPI)) as Record<string, unknown>,
    );
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(OPENAPI).toMatchObject({ openapi: '3.1.1' });
  });

  test('/openapi.json needs no key, is the same each time, and honours If-None-Match', async () => {
    const [first, again] = [
      await server.ask(null, 'GET', '/openapi.json'),
      await server.ask(null, 'GET', '/openapi.json'),
    ];
    expect([first.status, first.text]).toEqual([200, again.text]);
    expect(first.json()).toEqual(OPENAPI);
    const headers = { 'if-none-match': first.headers['etag'] ?? '' };
    expect((await server.ask(null, 'GET', '/openapi.json', { headers })).status).toBe(304);
  });

  test('/openapi.json has every operation once, and the security schemes', () => {
    const declared = Object.values(OPENAPI.paths).flatMap((it) => Object.values(it).map((one) => one.operationId));
    expect(declared.sort()).toEqual(Object.keys(OPERATIONS).sort());
    expect(OPENAPI.components).toMatchObject({
      securitySchemes: { key: { scheme: 'bearer' }, token: { scheme: 'bearer', bearerFormat: 'JWT' } },
    });
  });

  test.each(operations)('%s declares each of its errors under its status', (id, operation) => {
    const { responses } = OPENAPI.paths[operation.path]?.[operation.method] ?? {};
    for (const code of errorsOf(operation)) {
      const { status } = ERRORS[code] as { status: number };
      const schema = JSON.stringify(responses?.[`${status}`]?.content?.['application/json']?.schema);
      expect([id, schema]).toEqual([id, expect.stringContaining(`"${code}"`)]);
    }
  });

  test('every error code with an HTTP status is declared by an operation, or belongs to no route', () => {
    const declared = new Set(operations.flatMap(([, it]) => errorsOf(it)));
    const outside: ErrorCode[] = ['method_not_allowed', 'origin_refused', 'route_not_found'];
    const overHttp = Object.entries(ERRORS).flatMap(([code, it]) => ('status' in it ? [code as ErrorCode] : []));
    expect(overHttp.filter((it) => !declared.has(it) && !outside.includes(it))).toEqual([]);
  });
});

describe('the server matches the document', () => {
  const paths = [...new Set(operations.map(([, it]) => it.path))];

  test.each(paths)('%s accepts its declared methods, and no others', async (path) => {
    const offered = operations.flatMap(([, it]) => (it.path === path ? [it] : []));
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { code } = await server.ask('admin', method, filled(path));
      const isDeclared = offered.some((it) => it.method === method.toLowerCase());
      expect([method, code === 'method_not_allowed']).toEqual([method, !isDeclared]);
      expect(code).not.toBe('route_not_found');
    }
    const { headers } = await server.ask('admin', 'DELETE', filled(path));
    const without = offered.map((it) => ({ ...it, disabled: it.method === 'put' }));
    expect(headers['allow']).toBe(allowOf(without));
  });

  test.each(operations.filter(([, it]) => it.access !== 'probe' && it.access !== 'anyone'))(
    '%s is unauthenticated without a key',
    async (_id, { method, path }) => {
      const answer = await server.ask(null, method.toUpperCase(), filled(path));
      expect([answer.status, answer.code]).toEqual([401, 'unauthenticated']);
    },
  );
});

describe('the contract check of these tests', () => {
  const headers = {
    ...{ 'x-request-id': 'a', 'x-bundle-revision': '1-a', 'cache-control': 'no-store' },
    ...{ 'x-content-type-options': 'nosniff', 'content-type': 'application/json; charset=utf-8' },
  };
  const answerOf = (status: number, body: unknown, more = {}) => ({
    ...{ status, headers: { ...headers, ...more } },
    text: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const error = (code: string) => ({ error: { code, message: '', retryable: false, details: {} } });

  test('the contract check accepts a declared answer', () => {
    assertContract('GET', '/healthz', answerOf(200, { status: 'ok' }));
    assertContract('GET', '/nowhere', answerOf(404, error('route_not_found')));
  });

  test('an answer of vade dev may say that no commit has its bundle', () => {
    assertContract('GET', '/healthz', answerOf(200, { status: 'ok' }, { 'x-bundle-unversioned': 'true' }));
  });

  test.each<[string, string, string, ReturnType<typeof answerOf>]>([
    ['a status that is not declared', 'GET', '/healthz', answerOf(418, error('internal'))],
    ['an undeclared property', 'GET', '/healthz', answerOf(200, { status: 'ok', secret: 1 })],
    ['a code of another operation', 'GET', '/healthz', answerOf(500, error('agent_not_found'))],
    ['another content type', 'GET', '/healthz', answerOf(200, '<p>', { 'content-type': 'text/html' })],
    ['no request id', 'GET', '/healthz', answerOf(200, { status: 'ok' }, { 'x-request-id': undefined })],
    [
      'an undeclared header of the bundle',
      'GET',
      '/healthz',
      answerOf(200, { status: 'ok' }, { 'x-bundle-colour': 'red' }),
    ],
    ['no ETag', 'GET', '/v1/agents/a/boot-stub', answerOf(200, 'x', { 'content-type': 'text/markdown' })],
    ['a body of a HEAD', 'HEAD', '/healthz', answerOf(200, { status: 'ok' })],
    ['an undeclared 5xx of an unknown path', 'GET', '/nowhere', answerOf(500, error('internal'))],
    ['an error in another shape', 'GET', '/nowhere', answerOf(404, { message: 'no' })],
  ])('the contract check refuses %s', (_name, method, path, answer) => {
    expect(() => {
      assertContract(method, path, answer);
    }).toThrow('against the contract');
  });
});
