import { z } from 'zod';

/** DSSE payload type of what is signed about the audit. */
export const CHECKPOINT_TYPE = 'application/vnd.vade.audit-checkpoint+json';

/**
 * What is signed about one writer's chain: that its entry `n` has this hash, and thereby every entry before it; or
 * that the entries up to `n` were dropped on purpose.
 */
export const Checkpoint = z.strictObject({
  kind: z.enum(['checkpoint', 'retirement']),
  /** The opening of the audit that wrote the chain. */
  writer: z.string().min(1).max(100),
  n: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** When it was signed, in milliseconds since 1970. */
  at: z.int(),
});

export type Checkpoint = z.infer<typeof Checkpoint>;
