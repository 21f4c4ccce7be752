import { z } from 'zod';

/** A sha256 in lower-case hex. */
export const Digest = z.string().regex(/^[0-9a-f]{64}$/);

/** An instant in UTC, to the second. */
export const Instant = z.iso.datetime({ offset: false });
