import { isIP } from 'node:net';
import type { Request } from 'express';

/** If the socket no longer knows its peer. */
const UNKNOWN = '0.0.0.0';

/**
 * The client address of a request: the socket's peer or, behind trusted proxies, the address in `X-Forwarded-For`.
 * Parses that header, so call it only if the address matters.
 */
export function addressOf(request: Request): string {
  // the client first, then the proxies up to the connected one; an entry that is not an address is skipped
  return request.ips.find(isAddress) ?? request.socket.remoteAddress ?? UNKNOWN;
}

/** At most 45 characters, and no free text: a zone (`fe80::1%…`) would let the sender choose text in keys and logs. */
function isAddress(entry: string): boolean {
  return isIP(entry) !== 0 && !entry.includes('%');
}
