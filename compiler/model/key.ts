import { z } from 'zod';
import { Digest, Instant } from './fact.ts';
import { EntityUri } from './uri.ts';

/** One bearer key as it rests: never the secret, only its sha256. */
export const KeyRecord = z.strictObject({
  id: z.string().regex(/^[0-9a-z]{16}$/),
  name: z.string().max(100),
  holder: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('agent'), agent: z.string().min(1).max(100) }),
    z.strictObject({ kind: z.literal('admin'), entity: EntityUri }),
  ]),
  hash: Digest,
  created_at: Instant,
  revoked_at: Instant.nullable(),
});

/** `keys.json`. */
export const KeyFile = z.strictObject({ format: z.literal(1), keys: z.array(KeyRecord) });

export type KeyRecord = z.infer<typeof KeyRecord>;
export type KeyFile = z.infer<typeof KeyFile>;
