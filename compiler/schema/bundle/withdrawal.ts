import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import { Name } from '../uri.ts';

export const WITHDRAWAL_TYPE = 'application/vnd.vademecum.withdrawal+json';

/** More withdrawals than any deployment gets through; nothing longer is read, written or bound. */
export const MAX_WITHDRAWALS = 10_000;

/** An administrator's word that one fact must not reach an agent any more (DESIGN §7). */
export const Withdrawal = z.strictObject({
  deployment: Name,
  fact_uri: z.string().regex(/^\S{1,512}$/),
  digest: Digest,
  reason: z.string().min(1).max(2000),
  withdrawn_at: Instant,
});

/** `withdrawn.dsse.json`: envelopes, each signed by itself. */
export const WithdrawnFile = z.strictObject({
  format: z.literal(1),
  envelopes: z.array(z.unknown()).max(MAX_WITHDRAWALS),
});

/** A text that was taken out of a series of versions: `series digest`. */
export const WithdrawnKey = z.string().regex(/^\S{1,512} [0-9a-f]{64}$/);

/** The file of a root that `CarriedFile` is. */
export const CARRIED = 'withdrawn.json';

/** `withdrawn.json` of a root: what was taken out by orders that were committed while their signers were in force. */
export const CarriedFile = z.strictObject({ format: z.literal(1), withdrawn: z.array(WithdrawnKey) });

export type Withdrawal = z.infer<typeof Withdrawal>;
