import { z } from 'zod';

/**
 * A sha256 in lower-case hex. A bundle holds tens of thousands: written out, and as a template, the same pattern is
 * matched several times faster than as a counted check on a string.
 */
export const Digest = z
  .templateLiteral([z.string().regex(new RegExp(`^${'[0-9a-f]'.repeat(64)}$`))])
  .meta({ pattern: '^[0-9a-f]{64}$' });

/** An instant in UTC, to the second. */
export const Instant = z.iso.datetime({ offset: false });
