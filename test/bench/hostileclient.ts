import { request, type Agent } from 'node:http';
import { connect } from 'node:net';
import type { ReceivedAnswer } from '../server/contract.ts';
import type { HostileRequest } from '../server/hostile.ts';

/** Sends what no well-behaved client would; null where the connection ended without an answer. */
export function sendHostile(
  url: string,
  key: string,
  agent: Agent,
  asked: HostileRequest,
): Promise<ReceivedAnswer | null> {
  const { method, path, headers, body } = asked;
  const isBodied = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';
  const { hostname, port } = new URL(url);
  const lines = [['Host', 'x'], ...headers.filter(([name]) => name !== 'Expect'), ['Authorization', `Bearer ${key}`]];
  if (isBodied) lines.push(['Content-Length', String(body.length)]);
  return new Promise((resolve) => {
    const call = request({ agent, hostname, port, method, path, headers: lines.flat() }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => {
        resolve(null);
      });
      response.on('end', () => {
        const told = Object.fromEntries(Object.entries(response.headers).map(([name, it]) => [name, String(it)]));
        resolve({ status: response.statusCode ?? 0, headers: told, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    call.on('error', () => {
      resolve(null);
    });
    call.end(isBodied ? body : undefined);
  });
}

/** Sends bytes and says that no more will come; the status of each answer to them. */
export function sendBytes(url: string, bytes: Buffer): Promise<number[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      socket.end(bytes);
    });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // a server that ends a connection may do so before it has read everything
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      resolve([...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((it) => Number(it[1])));
    });
  });
}
