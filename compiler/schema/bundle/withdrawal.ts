import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import { Name } from '../uri.ts';

export const WITHDRAWAL_TYPE = 'application/vnd.vademecum.withdrawal+json';

/** More withdrawals than any deployment needs; a longer list is neither read, written nor signed. */
export const MAX_WITHDRAWALS = 10_000;

/** An administrator's order that one fact must no longer reach an agent (DESIGN §7). */
export const Withdrawal = z.strictObject({
  deployment: Name,
  fact_uri: z.string().regex(/^\S{1,512}$/),
  digest: Digest,
  reason: z.string().min(1).max(2000),
  withdrawn_at: Instant,
});

/** `withdrawn.dsse.json`: envelopes, each with its own signatures. */
export const WithdrawnFile = z.strictObject({
  format: z.literal(1),
  envelopes: z.array(z.unknown()).max(MAX_WITHDRAWALS),
});

/** A withdrawn text in a series of versions: `series digest`. */
export const WithdrawnKey = z.string().regex(/^\S{1,512} [0-9a-f]{64}$/);

/** The name of the root's file with the content `CarriedFile`. */
export const CARRIED = 'withdrawn.json';

/** `withdrawn.json` of a root: texts withdrawn by orders whose signers were administrators at the commit. */
export const CarriedFile = z.strictObject({ format: z.literal(1), withdrawn: z.array(WithdrawnKey) });

export type Withdrawal = z.infer<typeof Withdrawal>;
