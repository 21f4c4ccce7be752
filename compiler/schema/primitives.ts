import { z } from 'zod';

/**
 * A sha256 in lower-case hex. A bundle holds tens of thousands: written out, and as a template, the same pattern is
 * matched several times faster than as a counted check on a string.
 */
export const Digest = z
  .templateLiteral([z.string().regex(new RegExp(`^${'[0-9a-f]'.repeat(64)}$`))])
  .meta({ pattern: '^[0-9a-f]{64}$' });

/** Neither a line break nor any other control character. */
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/;

/**
 * A text that stays on its line wherever it is shown: in a stub, a manifest, a terminal, a pull request. A line break in
 * it could pass for a line of ours.
 *
 * @param max characters
 */
export function oneLine(max: number) {
  return z.string().trim().max(max).regex(ONE_LINE, 'write it on one line, without control characters');
}

/** An instant in UTC, to the second. */
export const Instant = z.iso.datetime({ offset: false });

/** Names one heartbeat. */
export const HeartbeatId = z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/);

/** The last second that ISO 8601 writes with four digits. */
const END_OF_TIME = 253_402_300_799;

/**
 * ISO 8601, to the second, of seconds since 1970. Untrusted input: a commit's dates are its author's to
 * choose, and must not break a publication for good.
 */
export function instant(seconds: number): string {
  const sane = Math.min(Math.max(0, Number.isFinite(seconds) ? seconds : 0), END_OF_TIME);
  return new Date(sane * 1000).toISOString().replace('.000Z', 'Z');
}
