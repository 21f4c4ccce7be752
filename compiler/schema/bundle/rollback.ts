import { z } from 'zod';
import { Instant } from '../primitives.ts';
import { Name } from '../uri.ts';

export const ROLLBACK_TYPE = 'application/vnd.vademecum.rollback+json';

/** `rollback.dsse.json` (DESIGN §7): administrators authorise the return to one older root. */
export const Rollback = z.strictObject({
  deployment: Name,
  revision: z.string().max(100),
  reason: z.string().min(1).max(2000),
  expires: Instant,
});

export type Rollback = z.infer<typeof Rollback>;
