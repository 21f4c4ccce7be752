import { z } from 'zod';

/** What a load balancer and an operator ask: whether answers come, from what, and what is held back. */
export const Readiness = z.strictObject({
  /** `ending`: it was asked to end, and still answers what comes. */
  status: z.enum(['ready', 'stale', 'ending']),
  bundle_revision: z.string(),
  /** Whether the freshness statement holds; null where the bundle has none. */
  fresh: z.boolean().nullable(),
  /** Since when a newer bundle is there that is not served, and why; null where the newest is served. */
  refused: z.strictObject({ reason: z.string(), since: z.string() }).nullable(),
  held: z.int().nonnegative(),
  withdrawn: z.int().nonnegative(),
  /** The first of the days by which a garden has to pass the coverage gate that it was let through (§21.8.3 S10). */
  recertify_by: z.string().nullable(),
});

export type Readiness = z.infer<typeof Readiness>;
