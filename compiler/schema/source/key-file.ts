import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import { EntityUri } from '../uri.ts';

/** Scopes of a key without a personal identity: metrics and readiness, for scrapers. */
export const Reading = z.enum(['metrics']);

/** The owner of a bearer key. */
export const KeyHolder = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('agent'),
    /** Short name or id, as it was given. */
    agent: z.string().min(1).max(100),
    /** The agent's id, so that the key does not pass to another agent with the same short name. Older keys lack it. */
    agent_id: z.uuid().optional(),
  }),
  z.strictObject({ kind: z.literal('admin'), entity: EntityUri }),
  z.strictObject({ kind: z.literal('reader'), reads: Reading }),
]);

/** One stored bearer key: never the secret, only its sha256. */
export const KeyRecord = z.strictObject({
  id: z.string().regex(/^[0-9a-z]{16}$/),
  name: z.string().max(100),
  holder: KeyHolder,
  hash: Digest,
  created_at: Instant,
  revoked_at: Instant.nullable(),
});

/** `keys.json`. */
export const KeyFile = z.strictObject({ format: z.literal(1), keys: z.array(KeyRecord) });

/** The limit of a key file, enough for some tens of thousands of keys. */
export const MAX_KEY_FILE_BYTES = 16 * 1024 * 1024;

export type Reading = z.infer<typeof Reading>;
export type KeyHolder = z.infer<typeof KeyHolder>;
export type KeyRecord = z.infer<typeof KeyRecord>;
export type KeyFile = z.infer<typeof KeyFile>;
