/** The page may load its own script and style sheet and call this server. It renders everything itself. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/**
 * Headers of every answer. Answers are not pages: nothing may be loaded, framed or sniffed, no other origin may read
 * them, and no cache stores them unless they allow it. The TLS terminator in front of this server sets
 * `Strict-Transport-Security`: over plain HTTP it must not be sent.
 */
export const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Cache-Control', 'no-store'],
];
