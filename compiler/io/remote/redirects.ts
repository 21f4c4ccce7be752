/** Options of a request to an untrusted host: a redirect could send it to an address that the host cannot reach. */
export interface RedirectOptions {
  readonly fetch?: typeof fetch | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers for the origin of the first address only. */
  readonly secret?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether nobody on the network can listen: https, or http to this machine. */
export function isPrivate(url: URL): boolean {
  return url.protocol === 'https:' || isPlainLoopback(url);
}

function isPlainLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK.includes(hostname);
}

/**
 * Fetches an address, and follows the redirects that `redirectedTo` allows.
 *
 * @throws Error for a refused redirect, and what fetch throws
 */
export async function fetchWithRedirects(
  start: URL,
  { fetch: ask = fetch, ...of }: RedirectOptions,
): Promise<Response> {
  let url = start;
  let secret = of.secret;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const headers = { ...of.headers, ...secret };
    const response = await ask(url, { headers, redirect: 'manual', ...(of.signal && { signal: of.signal }) });
    const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    const next = redirectedTo(url, location);
    // after a redirect to another origin the secret is never sent again, not even if that origin redirects back
    if (next.origin !== start.origin) secret = undefined;
    url = next;
  }
  throw new Error('it redirects too often');
}

/**
 * The target of a redirect: https, or plain http from this machine to itself or within the origin that the operator
 * configured. This is checked for each redirect, so https never leads to http.
 *
 * @param location untrusted, as the header has it
 * @throws Error
 */
function redirectedTo(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new Error('it redirects to an invalid address');
  const url = new URL(location, from);
  if (url.username !== '' || url.password !== '') throw new Error('it redirects to an address with a name or password');
  const isNamed = url.origin === from.origin || (isPlainLoopback(url) && isPlainLoopback(from));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isNamed)) {
    throw new Error('it redirects to an address that is not https');
  }
  return url;
}
