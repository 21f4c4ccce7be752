import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openMirror } from '../../compiler/io/remote/mirror.ts';
import { openRemote, remoteBase } from '../../compiler/io/remote/remote.ts';
import type { Mirror } from '../../compiler/schema/bundle/mirror.ts';
import { afterTest } from '../support/after-file.ts';
import type { TestTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';

/** One request that the host received. */
interface Fetched {
  readonly path: string;
  readonly status: number;
  readonly authorization: string | undefined;
}

export type Misbehave = (path: string, response: ServerResponse, request: IncomingMessage) => boolean;

/** A file server, as a CDN or an object store: files of a folder, with ETags. */
export interface Host {
  readonly url: string;
  /** The requests since the last call. */
  readonly fetched: () => Fetched[];
  /** Sets the folder to serve; `misbehave` returns whether it answered itself. */
  readonly serve: (folder: string, misbehave?: Misbehave) => void;
  readonly close: () => Promise<void>;
}

const open = new Set<() => Promise<void>>();

export async function hosting(folder: string): Promise<Host> {
  let [at, odd]: [string, Misbehave] = [folder, () => false];
  let fetched: Fetched[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname).slice(1);
    response.on('finish', () => {
      const { authorization } = request.headers;
      fetched.push({ path, status: response.statusCode, authorization });
    });
    if (!odd(path, response, request)) answer(join(at, path), request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      open.delete(close);
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  open.add(close);
  afterTest(async () => {
    if (open.has(close)) await close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    fetched: () => fetched.splice(0),
    serve: (next, misbehave = () => false) => {
      [at, odd] = [next, misbehave];
      fetched = [];
    },
    close,
  };
}

function answer(path: string, request: IncomingMessage, response: ServerResponse): void {
  if (!existsSync(path)) {
    response.writeHead(404).end('<html>not here</html>');
    return;
  }
  const bytes = readFileSync(path);
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { etag, 'content-length': bytes.length }).end(bytes);
}

/** A mirror of a host, in a new cache or the given one. */
export function mirrorOf(
  host: Pick<Host, 'url'>,
  trust: TestTrust,
  { folder = tempFolder(), token = '', timeoutMs = 10_000 } = {},
): Mirror {
  const belief = () => ({ pinned: trust.root, now: new Date().toISOString() });
  return openMirror({ folder, belief, remote: openRemote({ base: remoteBase(host.url), token, timeoutMs }) });
}

/** Why a mirror could not fetch a bundle: a reason of `REFUSALS`, else an error code. */
export const failure = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'synced',
    (error: unknown) => {
      const { code, details } = error as { code: string; details: Record<string, unknown> };
      return details['reason'] ?? code;
    },
  );
