import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Nothing here is a page: nothing may be loaded, framed or sniffed, and no other origin may read. */
const secure = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  referrerPolicy: { policy: 'no-referrer' },
  xFrameOptions: { action: 'deny' },
  // what ends TLS in front of this server decides on HTTPS alone: over plain HTTP the header must not be sent
  strictTransportSecurity: false,
  // these speak to pages and to browsers that are gone
  ...{ crossOriginEmbedderPolicy: false, crossOriginOpenerPolicy: false, originAgentCluster: false },
  ...{ xDnsPrefetchControl: false, xDownloadOptions: false, xPermittedCrossDomainPolicies: false },
  xXssProtection: false,
});

/**
 * What the one page may do: load its own program and style sheet, and ask this server. What it draws, it draws itself;
 * whatever an author wrote is text to it.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join(';');

/** Headers of every answer. They never differ, so they are worked out once; no answer is kept by a cache unless it says so. */
export const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ...secureHeaders(),
  ['Cache-Control', 'no-store'],
];

function secureHeaders(): readonly (readonly [string, string])[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  secure(request, response, (error) => {
    if (error instanceof Error) throw error;
  });
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}
