import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answerError } from '../../server/admission.ts';
import { json, type Answer } from '../../server/answers.ts';
import { beginExchange } from '../../server/exchange.ts';
import { mount, type Handler } from '../../server/routing.ts';

const server = createServer();
let url: string;
let late: (answer: Answer) => void = () => undefined;

const route = (path: string, handle: Handler, limit: number | null) => ({
  ...({ method: 'get', path, handle, limit, access: 'anyone', summary: '', errors: [] } as const),
  success: { status: 200, description: '', type: 'application/json', schema: z.unknown() } as const,
});

beforeAll(async () => {
  const app = express();
  app.use((request, response, next) => {
    beginExchange(request, response, null);
    next();
  });
  const never = () =>
    new Promise<Answer>((resolve) => {
      late = resolve;
    });
  const slow = () => new Promise<Answer>((resolve) => setTimeout(resolve, 60, json({ took: 'longer' })));
  const routes = [route('/never', never, 20), route('/free', slow, null), route('/quick', () => json({}), 20)];
  mount(app, routes, () => (_request, _response, next) => {
    next();
  });
  app.use(answerError());
  server.on('request', app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

describe('the time an operation may take', () => {
  test('is over at some point: its caller may try again, and what comes later is not written', async () => {
    const answer = await fetch(`${url}/never`);
    const { error } = (await answer.json()) as { error: unknown };
    expect(answer.status).toBe(503);
    expect(error).toMatchObject({ code: 'recall_backend_unavailable', retryable: true });
    late(json({ late: true }));
    expect((await fetch(`${url}/quick`)).status).toBe(200);
  });

  test('is its own affair where it limits itself', async () => {
    expect(await (await fetch(`${url}/free`)).json()).toEqual({ took: 'longer' });
  });
});
