import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../audit-file.ts';
import { compiledPeers, type CompiledPeers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

let peers: CompiledPeers;

beforeAll(async () => {
  peers = await compiledPeers();
});

/** A recall whose body is not sent completely yet, on a keep-alive connection. */
async function begun(server: Running) {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ intent: 'hand over' });
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('utf8')));
  const ended = once(socket, 'close');
  const head = [
    'POST /v1/agents/cto/recall-instruction HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${server.keys.cto}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
  // once another request is answered, the head of this one has been read
  await server.ask(null, 'GET', '/healthz');
  const finish = async () => {
    socket.write(body.slice(5));
    await ended;
    return text;
  };
  return { finish };
}

describe('DESIGN §8 graceful shutdown', () => {
  test('a server that shuts down reports it first, and still answers requests, with Connection: close', async () => {
    let drained: () => void;
    const drain = () => new Promise<void>((resolve) => (drained = resolve));
    const server = await running({ ...peers, follow: { drain } });
    const closed = server.close();
    const ready = await server.ask(null, 'GET', '/readyz');
    expect([ready.status, ready.json()['status'], ready.headers['connection']]).toEqual([503, 'ending', 'close']);
    const answer = await server.recall('cto', 'cto', { intent: 'hand over' });
    expect([answer.status, answer.headers['connection']]).toEqual([200, 'close']);
    drained!();
    await closed;
    await expect(server.ask(null, 'GET', '/healthz')).rejects.toThrow();
  });

  test('a request in flight is completed during shutdown, and recorded in the audit', async () => {
    const server = await running({ ...peers });
    const request = await begun(server);
    const closed = server.close();
    const answer = await request.finish();
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    expect(await rows(server.audit, 'recalls')).toHaveLength(1);
  });
});
