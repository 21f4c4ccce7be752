/** What the one page may do: load its own program and style sheet, and ask this server. What it draws, it draws itself. */
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
 * Headers of every answer. An answer is no page: nothing may be loaded, framed or sniffed, no other origin may read, and
 * no cache keeps it unless it says so. `Strict-Transport-Security` is left to what ends TLS in front of this server: over
 * plain HTTP it must not be sent.
 */
export const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Cache-Control', 'no-store'],
];
