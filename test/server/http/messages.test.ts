import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { messagesFor } from '../../../server/http/connections.ts';

/** Sends one request, and records the prototypes before and after Express handled it. */
async function exchange(app: express.Express) {
  const seen: object[] = [];
  const server = createServer(messagesFor(app), app);
  const watch = (request: IncomingMessage, response: ServerResponse) =>
    seen.push(Object.getPrototypeOf(request) as object, Object.getPrototypeOf(response) as object);
  server.prependListener('request', watch).on('request', watch);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=c`);
  const body: unknown = await answer.json();
  await new Promise((resolve) => server.close(resolve));
  return { seen, body };
}

describe('requests and answers', () => {
  test('requests and answers have the prototypes of Express from the start', async () => {
    const app = express();
    app.get('/a', (_request, response) => void response.json(null));
    const { seen } = await exchange(app);
    const [request, response] = seen;
    expect(seen).toEqual([request, response, request, response]);
    expect(seen[2]).toBe(request);
    expect(seen[3]).toBe(response);
  });

  test('requests and answers have the properties and methods of Express', async () => {
    const app = express();
    app.get('/a', (request, response) => {
      const same = request.app === app && response.app === app && request.res === response;
      response.json([same, request.query['b'], request.get('host') !== undefined, request.path]);
    });
    expect((await exchange(app)).body).toEqual([true, 'c', true, '/a']);
  });
});
