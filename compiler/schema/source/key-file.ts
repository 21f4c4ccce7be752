import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import { EntityUri } from '../uri.ts';

/** Scopes of a key without a personal identity: metrics and readiness, for scrapers. */
export const ScraperScope = z.enum(['metrics']);

/** The owner of a bearer key. */
export const KeyHolder = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('agent'),
    /** Short name or id, as it was given. */
    agent: z.string().min(1).max(100),
    /** The agent's id: no other agent of the same short name gets the key. A control plane's token has none. */
    agent_id: z.uuid().optional(),
  }),
  z.strictObject({ kind: z.literal('admin'), entity: EntityUri }),
  z.strictObject({ kind: z.literal('reader'), reads: ScraperScope }),
]);

/** Scopes of a key: `instructions` is everything but the capsules of continuity. */
export const KeyScope = z.enum(['instructions', 'continuity:read', 'continuity:write']);

/** Parts of an agent's own store. */
export const Namespace = z.enum(['continuity', 'tasks', 'schedule', 'coordination']);

/** IDs of the agents that a key may hand over to, and share with. */
export const Peers = z.array(z.string().min(1).max(100)).max(64);

/** Limits of a key within the rights of its holder; an absent member sets no limit. */
export const Permits = z.strictObject({
  scopes: z.array(KeyScope).min(1).max(KeyScope.options.length).optional(),
  namespaces: z.array(Namespace).min(1).max(Namespace.options.length).optional(),
  peers: Peers.optional(),
});

/** One stored bearer key: never the secret, only its sha256. */
export const KeyRecord = z.strictObject({
  id: z.string().regex(/^[0-9a-z]{16}$/),
  name: z.string().max(100),
  holder: KeyHolder,
  hash: Digest,
  created_at: Instant,
  revoked_at: Instant.nullable(),
  /** Absent from a key that is not limited. */
  permits: Permits.optional(),
});

/** `keys.json`. */
export const KeyFile = z.strictObject({ format: z.literal(1), keys: z.array(KeyRecord) });

/** The most that is read of a key file. */
export const MAX_KEY_FILE_BYTES = 32 * 1024 * 1024;

/** Where new keys are refused: the rest is room to revoke every key. */
export const MOST_CREATED_BYTES = MAX_KEY_FILE_BYTES / 2;

/** How long a revoked key stays in the file. */
const REVOKED_MS = 30 * 24 * 3600 * 1000;

/** The keys that stay in the file: a key that was revoked long ago is as unknown as one that never was. */
export function currentKeys(keys: readonly KeyRecord[], now: Date): KeyRecord[] {
  const isLongGone = (it: string | null) => it !== null && now.getTime() - Date.parse(it) > REVOKED_MS;
  return keys.filter((it) => !isLongGone(it.revoked_at));
}

export type KeyScope = z.infer<typeof KeyScope>;
export type Namespace = z.infer<typeof Namespace>;
export type Permits = z.infer<typeof Permits>;
export type ScraperScope = z.infer<typeof ScraperScope>;
export type KeyHolder = z.infer<typeof KeyHolder>;
export type KeyRecord = z.infer<typeof KeyRecord>;
