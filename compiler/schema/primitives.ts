import { z } from 'zod';

/**
 * A sha256 in lower-case hex. A bundle holds tens of thousands: this form of the pattern matches several times faster
 * than a length check on a string.
 */
export const Digest = z
  .templateLiteral([z.string().regex(new RegExp(`^${'[0-9a-f]'.repeat(64)}$`))])
  .meta({ pattern: '^[0-9a-f]{64}$' });

/** Neither a line break nor any other control character. */
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/;

/**
 * A text on one line, which is shown in stubs, manifests, terminals and pull requests. A line break in it could imitate
 * a line of the program.
 *
 * @param max characters
 */
export function oneLine(max: number) {
  return z.string().trim().max(max).regex(ONE_LINE, 'write it on one line, without control characters');
}

/** An instant in UTC, to the second. */
export const Instant = z.iso.datetime({ offset: false });

/** Identifies one heartbeat. */
export const HeartbeatId = z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/);

/** The last second that ISO 8601 writes with four digits. */
const END_OF_TIME = 253_402_300_799;

/**
 * Formats seconds since 1970 as ISO 8601, to the second. Untrusted input: an author can choose any date for a commit,
 * and no date may break publication permanently.
 */
export function instant(seconds: number): string {
  const sane = Math.min(Math.max(0, Number.isFinite(seconds) ? seconds : 0), END_OF_TIME);
  return new Date(sane * 1000).toISOString().replace('.000Z', 'Z');
}
