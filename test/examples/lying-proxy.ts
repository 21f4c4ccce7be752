import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterFile } from '../support/after-file.ts';

/** Passes requests on to a server, and changes what it answers; returns the address to ask. */
export async function lyingProxy(target: string, lie: (path: string, answer: string) => string): Promise<string> {
  const server = createServer((request, response) => {
    void passOn(target, request).then(({ status, body }) => {
      response.writeHead(status).end(lie(request.url ?? '', body));
    });
  });
  server.listen(0, '127.0.0.1');
  afterFile(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function passOn(target: string, request: IncomingMessage) {
  const { authorization = '', 'content-type': type = '' } = request.headers;
  const { method = 'GET' } = request;
  const sent = { method, headers: { authorization, 'content-type': type } };
  const body = await text(request);
  const answer = await fetch(target + (request.url ?? ''), { ...sent, ...(method !== 'GET' && { body }) });
  return { status: answer.status, body: await answer.text() };
}
