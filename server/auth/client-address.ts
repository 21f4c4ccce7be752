import { isIP } from 'node:net';
import type { Request } from 'express';

/** Where the socket does not know any more. */
const UNKNOWN = '0.0.0.0';

/**
 * Where a request comes from: the socket's peer or, behind proxies that are trusted, whom they name in
 * `X-Forwarded-For`. Costs a look at that header, so it is asked only where the address matters.
 */
export function addressOf(request: Request): string {
  // the caller first, then the proxies up to the one that is connected; an entry that is no address gives way to the next
  return request.ips.find(isAddress) ?? request.socket.remoteAddress ?? UNKNOWN;
}

/** At most 45 characters, and none of the sender's choice: a zone (`fe80::1%…`) would be free text in keys and logs. */
function isAddress(entry: string): boolean {
  return isIP(entry) !== 0 && !entry.includes('%');
}
