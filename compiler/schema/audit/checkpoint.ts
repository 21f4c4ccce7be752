import { z } from 'zod';

/** DSSE payload type of a statement about the audit. */
export const CHECKPOINT_TYPE = 'application/vnd.vade.audit-checkpoint+json';

/**
 * A signed statement about one writer's chain: entry `n` has this hash, which fixes every entry before it as well; or
 * the entries up to `n` were dropped on purpose.
 */
export const Checkpoint = z.strictObject({
  kind: z.enum(['checkpoint', 'retirement']),
  /** Identifies the opening of the audit that wrote the chain. */
  writer: z.string().min(1).max(100),
  n: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** When it was signed, in milliseconds since 1970. */
  at: z.int(),
});

export type Checkpoint = z.infer<typeof Checkpoint>;
