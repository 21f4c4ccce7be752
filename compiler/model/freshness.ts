import { z } from 'zod';
import { Instant } from './fact.ts';
import { Name } from './uri.ts';

export const FRESHNESS_TYPE = 'application/vnd.vademecum.freshness+json';

/** `freshness.dsse.json` (DESIGN §7): this revision was still the newest when it was signed. */
export const Freshness = z.strictObject({
  deployment: Name,
  revision: z.string(),
  issued: Instant,
  expires: Instant,
});

export type Freshness = z.infer<typeof Freshness>;
