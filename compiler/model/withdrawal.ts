import { z } from 'zod';
import { Digest, Instant } from './fact.ts';
import { Name } from './uri.ts';

export const WITHDRAWAL_TYPE = 'application/vnd.vademecum.withdrawal+json';

/** An administrator's word that one fact must not reach an agent any more (DESIGN §7). */
export const Withdrawal = z.strictObject({
  deployment: Name,
  fact_uri: z.string().max(512),
  digest: Digest,
  reason: z.string().min(1).max(2000),
  withdrawn_at: Instant,
});

/** `withdrawn.dsse.json`: envelopes, each signed by itself. */
export const WithdrawnFile = z.strictObject({ format: z.literal(1), envelopes: z.array(z.unknown()).max(10_000) });

export type Withdrawal = z.infer<typeof Withdrawal>;
