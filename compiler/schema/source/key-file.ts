import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import { EntityUri } from '../uri.ts';

/** What a key may open that is nobody's own: metrics and readiness, for scrapers. */
export const Reading = z.enum(['metrics']);

/** Whose a bearer key is. */
export const KeyHolder = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('agent'),
    /** Short name or id, as it was asked for. */
    agent: z.string().min(1).max(100),
    /** The agent that was meant: another one that takes over its short name is not. Keys from before lack it. */
    agent_id: z.uuid().optional(),
  }),
  z.strictObject({ kind: z.literal('admin'), entity: EntityUri }),
  z.strictObject({ kind: z.literal('reader'), reads: Reading }),
]);

/** One bearer key as it rests: never the secret, only its sha256. */
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

/** Larger key files are not read: some tens of thousands of keys. */
export const MAX_KEY_FILE_BYTES = 16 * 1024 * 1024;

export type Reading = z.infer<typeof Reading>;
export type KeyHolder = z.infer<typeof KeyHolder>;
export type KeyRecord = z.infer<typeof KeyRecord>;
export type KeyFile = z.infer<typeof KeyFile>;
