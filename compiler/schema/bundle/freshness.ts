import { z } from 'zod';
import { Instant } from '../primitives.ts';
import { Name } from '../uri.ts';
import { MAX_WITHDRAWALS, WithdrawnKey } from './withdrawal.ts';

export const FRESHNESS_TYPE = 'application/vnd.vademecum.freshness+json';

/**
 * `freshness.dsse.json` (DESIGN §7): the revision was the newest when the statement was signed, and the statement
 * names the withdrawals of that time. A longer list of withdrawals is newer; a list that lacks one of them was cut
 * short.
 */
export const Freshness = z.strictObject({
  deployment: Name,
  revision: z.string(),
  issued: Instant,
  expires: Instant,
  withdrawals: z.array(WithdrawnKey).max(MAX_WITHDRAWALS),
});

export type Freshness = z.infer<typeof Freshness>;
