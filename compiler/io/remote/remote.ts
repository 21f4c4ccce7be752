import { messageOf, VadeError, type ErrorCode } from '../../schema/errors.ts';
import { fetchFollowing, isPrivate } from './redirects.ts';

/** Where a bundle is fetched from. */
export interface RemoteOptions {
  /** Ends with a slash; its query, such as a signature, goes with every request. */
  readonly base: URL;
  /** Sent to this origin alone. */
  readonly token?: string | undefined;
  readonly fetch?: typeof fetch;
  /** Milliseconds in which an answer has to be there, besides what its size takes. */
  readonly timeoutMs?: number;
}

/** What a server says a version of a file is called. */
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
   * One file, untrusted whatever its name: never more than `limit` bytes of it are read.
   *
   * @param known of the version that is here already
   * @throws bundle_not_found; bundle_unavailable, timed_out, credentials_refused
   */
  readonly get: (path: string, limit: number, known?: Validators) => Promise<Got>;
}

const TIMEOUT_MS = 10_000;

/** A server that is slower than this, in bytes a millisecond, is taken for one that is not there. */
const MIN_SPEED = 32;

/**
 * The address of a bundle: by https, or by http from this machine. What is fetched is proven either way; but who could
 * listen would read instructions, and the token.
 *
 * @throws argument_invalid
 */
export function remoteBase(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !isPrivate(url)) {
    throw new VadeError('argument_invalid', '--bundle takes a folder, an https: address, or http: on loopback');
  }
  if (url.username !== '' || url.password !== '') {
    throw new VadeError('argument_invalid', 'give VADE_BUNDLE_TOKEN, and no name or password in the address');
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

export function openRemote({ base, token, fetch, timeoutMs = TIMEOUT_MS }: RemoteOptions): Remote {
  const request = (path: string, known: Validators | undefined, signal: AbortSignal): Promise<Response> => {
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), base);
    url.search = base.search;
    return fetchFollowing(url, { fetch, headers: conditional(known), secret: token ? bearer(token) : {}, signal });
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

/** Object stores that do not list their content answer 403 for what is not there. */
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

/** An answer that is neither the file nor the news that there is none. */
class WrongStatus extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the server answers ${status}`);
    this.status = status;
  }
}

/** Whether asking again may help: a host that is down or overloaded is not one that has no bundle. */
function codeOf(error: unknown): ErrorCode {
  if (error instanceof WrongStatus) {
    if (error.status === 401) return 'credentials_refused';
    return error.status >= 500 || error.status === 429 ? 'bundle_unavailable' : 'bundle_not_found';
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timed_out';
  // what fetch throws of a network that fails, before an answer or in the middle of one
  return error instanceof TypeError ? 'bundle_unavailable' : 'bundle_not_found';
}

/** Network errors say what happened in their cause. */
function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error && cause.message !== '' ? cause.message : messageOf(error);
}
