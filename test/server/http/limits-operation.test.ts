import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answerError } from '../../../server/http/middleware.ts';
import { mount, type Route } from '../../../server/http/routing.ts';
import type { Call } from '../../../server/operations/call.ts';
import { operation } from '../../../server/operations/operation.ts';
import { perform } from '../../../server/operations/perform.ts';
import { value, type Result } from '../../../server/operations/result.ts';
import { beginRequest } from '../../../server/telemetry/request-context.ts';

const server = createServer();
let url: string;
let late: (result: Result) => void = () => undefined;
let outlast: () => void = () => undefined;
let begun: () => void = () => undefined;
let stopped = 0;

const CALL = { span: null, cancel: () => void (stopped += 1), identity: {} } as unknown as Call;

const route = (path: string, run: () => Result | Promise<Result>, limit: number | null): Route => {
  const slow = operation({
    ...({ method: 'get', path, limit, access: 'agents', effect: 'read', summary: '', errors: [] } as const),
    success: { status: 200, description: '', type: 'application/json', schema: z.unknown() } as const,
    permit: () => undefined,
    run,
  });
  return { ...slow, answer: () => perform(slow, CALL, { path: {}, query: {}, headers: {}, body: undefined }) };
};

beforeAll(async () => {
  const app = express();
  app.use((request, response, next) => {
    beginRequest(request, response, null);
    next();
  });
  const never = () =>
    new Promise<Result>((resolve) => {
      late = resolve;
    });
  const free = () =>
    new Promise<Result>((resolve) => {
      begun();
      outlast = () => {
        resolve(value({ took: 'longer' }));
      };
    });
  const routes = [route('/never', never, 20), route('/free', free, null), route('/quick', () => value({}), 20)];
  mount(app, routes, () => (_request, _response, next) => {
    next();
  });
  app.use(answerError());
  server.on('request', app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

describe('the time limit of an operation', () => {
  test('an operation that exceeds its time limit is a retryable error, and its late result is discarded', async () => {
    const answer = await fetch(`${url}/never`);
    const { error } = (await answer.json()) as { error: unknown };
    expect(answer.status).toBe(503);
    expect(error).toMatchObject({ code: 'recall_backend_unavailable', retryable: true });
    expect(stopped).toBe(1);
    late(value({ late: true }));
    expect((await fetch(`${url}/quick`)).status).toBe(200);
  });

  test('an operation without a limit may take longer', async () => {
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const answer = fetch(`${url}/free`);
    await isBegun;
    // it outlasts one that has a limit and reaches it
    expect((await fetch(`${url}/never`)).status).toBe(503);
    outlast();
    expect(await (await answer).json()).toEqual({ took: 'longer' });
  });
});
