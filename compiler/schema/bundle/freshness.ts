import { z } from 'zod';
import { Instant } from '../primitives.ts';
import { Name } from '../uri.ts';
import { MAX_WITHDRAWALS, WithdrawnKey } from './withdrawal.ts';

export const FRESHNESS_TYPE = 'application/vnd.vademecum.freshness+json';

/**
 * `freshness.dsse.json` (DESIGN §7): this revision was still the newest when it was signed, and so much was withdrawn
 * by then. A list of withdrawals that is longer is newer; one that lacks any of these was cut short.
 */
export const Freshness = z.strictObject({
  deployment: Name,
  revision: z.string(),
  issued: Instant,
  expires: Instant,
  withdrawals: z.array(WithdrawnKey).max(MAX_WITHDRAWALS),
});

export type Freshness = z.infer<typeof Freshness>;
