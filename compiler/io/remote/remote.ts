import { messageOf, VadeError, type ErrorCode } from '../../schema/errors.ts';
import { fetchWithRedirects, isPrivate } from './redirects.ts';

/** The address of a bundle, and how to fetch from it. */
export interface RemoteOptions {
  /** Ends with a slash; its query, such as a signature, is added to every request. */
  readonly base: URL;
  /** Sent only to this origin. */
  readonly token?: string | undefined;
  readonly fetch?: typeof fetch;
  /** Time limit of a request in milliseconds, besides the time for its size. */
  readonly timeoutMs?: number;
}

/** The HTTP validators of a version of a file. */
export interface Validators {
  readonly etag: string | null;
  readonly modified: string | null;
}

export type Got =
  | { readonly kind: 'same' }
  | { readonly kind: 'missing'; readonly status: number }
  | { readonly kind: 'found'; readonly bytes: Buffer; readonly validators: Validators };

export interface Remote {
  /**
   * Fetches one file. Untrusted input: at most `limit` bytes are read.
   *
   * @param known the validators of the local version
   * @throws bundle_not_found; bundle_unavailable, timed_out, credentials_refused
   */
  readonly get: (path: string, limit: number, known?: Validators) => Promise<Got>;
}

const TIMEOUT_MS = 10_000;

/** The minimum speed of a server, in bytes per millisecond; a slower one times out. */
const MIN_SPEED = 32;

/**
 * Checks the address of a bundle: https, or http on this machine. Downloads are verified in any case, but over plain
 * http others could read the instructions and the token.
 *
 * @throws argument_invalid
 */
export function remoteBase(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !isPrivate(url)) {
    throw new VadeError('argument_invalid', '--bundle takes a folder, an https: address, or http: on loopback');
  }
  if (url.username !== '' || url.password !== '') {
    throw new VadeError('argument_invalid', 'the address must not contain a name or password; use VADE_BUNDLE_TOKEN');
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

export function openRemote({ base, token, fetch, timeoutMs = TIMEOUT_MS }: RemoteOptions): Remote {
  const request = (path: string, known: Validators | undefined, signal: AbortSignal): Promise<Response> => {
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), base);
    url.search = base.search;
    return fetchWithRedirects(url, { fetch, headers: conditional(known), secret: token ? bearer(token) : {}, signal });
  };
  const get: Remote['get'] = async (path, limit, known) => {
    const signal = AbortSignal.timeout(timeoutMs + Math.ceil(limit / MIN_SPEED));
    try {
      return await read(await request(path, known, signal), limit);
    } catch (error) {
      throw new VadeError(codeOf(error), `${path} cannot be fetched: ${causeOf(error)}`);
    }
  };
  return { get };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function conditional(known: Validators | undefined): Record<string, string> {
  if (!known) return {};
  return {
    ...(known.etag !== null && { 'if-none-match': known.etag }),
    ...(known.modified !== null && { 'if-modified-since': known.modified }),
  };
}

/** Status codes for a missing file; object stores that do not list their content answer 403. */
const MISSING = [403, 404, 410];

async function read(response: Response, limit: number): Promise<Got> {
  if (response.status === 200) {
    const { headers } = response;
    const validators = { etag: headers.get('etag'), modified: headers.get('last-modified') };
    return { kind: 'found', bytes: await readBody(response, limit), validators };
  }
  await response.body?.cancel();
  if (response.status === 304) return { kind: 'same' };
  if (MISSING.includes(response.status)) return { kind: 'missing', status: response.status };
  throw new WrongStatus(response.status);
}

async function readBody({ body }: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > limit) throw new Error(`it is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A response that is neither the file nor a status for a missing one. */
class WrongStatus extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the server answers ${status}`);
    this.status = status;
  }
}

/** Separates a host that is down or overloaded, where a retry may help, from one that has no bundle. */
function codeOf(error: unknown): ErrorCode {
  if (error instanceof WrongStatus) {
    if (error.status === 401) return 'credentials_refused';
    return error.status >= 500 || error.status === 429 ? 'bundle_unavailable' : 'bundle_not_found';
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timed_out';
  // fetch throws a TypeError if the network fails, before or during the response
  return error instanceof TypeError ? 'bundle_unavailable' : 'bundle_not_found';
}

/** The reason of a network error is in its cause. */
function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error && cause.message !== '' ? cause.message : messageOf(error);
}
