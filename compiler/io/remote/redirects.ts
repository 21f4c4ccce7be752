/** What is fetched of a host, which may lie: its redirects lead a request where the host itself has no business. */
export interface RedirectOptions {
  readonly fetch?: typeof fetch | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers for the origin of the first address alone. */
  readonly secret?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether nobody on the way can listen: https, or http on this machine. */
export function isPrivate(url: URL): boolean {
  return url.protocol === 'https:' || isPlainLoopback(url);
}

function isPlainLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK.includes(hostname);
}

/**
 * Asks for an address, and follows the redirects that `redirectedTo` lets through.
 *
 * @throws Error for a redirect that is refused; what fetch throws
 */
export async function fetchFollowing(start: URL, { fetch: ask = fetch, ...of }: RedirectOptions): Promise<Response> {
  let url = start;
  let secret = of.secret;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const headers = { ...of.headers, ...secret };
    const response = await ask(url, { headers, redirect: 'manual', ...(of.signal && { signal: of.signal }) });
    const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    const next = redirectedTo(url, location);
    // once elsewhere, never again: whoever sends it back chose where to
    if (next.origin !== start.origin) secret = undefined;
    url = next;
  }
  throw new Error('it redirects again and again');
}

/**
 * Where a redirect leads: to https; to plain http only on this machine from this machine, or within the origin that an
 * operator named so. As each step of a chain is held to that, https never leads to http.
 *
 * @param location untrusted, as the header has it
 * @throws Error
 */
function redirectedTo(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new Error('it redirects to what is no address');
  const url = new URL(location, from);
  if (url.username !== '' || url.password !== '') throw new Error('it redirects to an address with a name or password');
  const isNamed = url.origin === from.origin || (isPlainLoopback(url) && isPlainLoopback(from));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isNamed)) {
    throw new Error('it redirects to an address that is not https');
  }
  return url;
}
