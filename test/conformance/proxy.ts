import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
  readonly url: string;
  readonly close: () => void;
}

/**
 * Adds a key to every request, since the suite sends none and the server answers nobody without one. All else passes as
 * it is, `Host` and `Origin` too, which the suite makes wrong on purpose.
 */
export async function proxyWithKey(server: string, key: string): Promise<Proxy> {
  const proxy = createServer((from, to) => {
    forward(server, key, from, to);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  const close = () => {
    proxy.close();
    proxy.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

function forward(server: string, key: string, from: IncomingMessage, to: ServerResponse): void {
  const { hostname, port } = new URL(server);
  const headers = { ...from.headers, authorization: `Bearer ${key}` };
  const { url: path, method } = from;
  const sent = request({ hostname, port, path, method, headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(to);
  });
  sent.on('error', () => to.destroy());
  to.on('close', () => sent.destroy());
  from.pipe(sent);
}
