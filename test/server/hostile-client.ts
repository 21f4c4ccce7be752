import { request as httpRequest, type Agent } from 'node:http';
import type { ReceivedAnswer } from './contract.ts';
import type { HostileRequest } from './hostile.ts';
import type { Running } from './running.ts';

/** Texts that would tell how this server is built. */
export const INSIDES = /node_modules|\.[tj]s:\d|\bat \w+ \(|SQLITE|ZodError|TypeError|RangeError|SyntaxError/;

/** Sends a request that a well-behaved client would not; null where the connection ended without an answer. */
export function sendHostile(
  agent: Agent,
  server: Pick<Running, 'url'>,
  { method, path, headers, body }: HostileRequest,
  key: string,
): Promise<ReceivedAnswer | null> {
  const bodied = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';
  const { hostname, port } = new URL(server.url);
  const host = headers.some(([name]) => name === 'Host') ? [] : [['Host', `${hostname}:${port}`] as const];
  const lines = [
    ...host,
    ...headers.filter(([name]) => name !== 'Expect'),
    ['Authorization', `Bearer ${key}`] as const,
  ];
  if (bodied) lines.push(['Content-Length', String(body.length)]);
  return new Promise((resolve) => {
    const options = { agent, hostname, port, method, path, headers: lines.flat() };
    const asked = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const told = Object.entries(response.headers).map(([name, it]) => [name, String(it)]);
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(told) as ReceivedAnswer['headers'],
          text,
        });
      });
    });
    asked.on('error', () => {
      resolve(null);
    });
    asked.end(bodied ? body : undefined);
  });
}
