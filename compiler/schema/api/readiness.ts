import { z } from 'zod';

/** What a load balancer and an operator ask: whether answers come, from what, and what is held back. */
export const Readiness = z.strictObject({
  /**
   * `ending`: it was asked to end, and still answers what comes. `damaged`: the shared garden does not verify, so that no
   * agent is answered.
   */
  status: z.enum(['ready', 'stale', 'damaged', 'ending']),
  bundle_revision: z.string(),
  /** Whether the freshness statement holds; null where the bundle has none. */
  fresh: z.boolean().nullable(),
  /** Since when a newer bundle is there that is not served, and why; null where the newest is served. */
  refused: z.strictObject({ reason: z.string(), since: z.string() }).nullable(),
  /** Gardens that are answered with 503 because they do not verify; null where there are none. Their names are logged. */
  unavailable: z
    .strictObject({
      gardens: z.int().positive(),
      /** How many of them may answer later although nobody does anything: a mirror fetches them anew. */
      retryable: z.int().nonnegative(),
      /** Sorted; reasons as they stand in the log. */
      reasons: z.array(z.string()),
      /** Of the one that failed first. */
      since: z.string(),
    })
    .nullable(),
  held: z.int().nonnegative(),
  withdrawn: z.int().nonnegative(),
  withdrawals: z.strictObject({
    /**
     * `bounded`: a fact that was withdrawn is served at most until `until`. `unknown`: a host can hide withdrawals for as
     * long as it likes, because no freshness statement holds, or the server goes on without one. `missing`: a signed
     * freshness statement names withdrawals that are hidden.
     */
    status: z.enum(['bounded', 'unknown', 'missing']),
    until: z.string().nullable(),
    missing: z.int().nonnegative(),
    /** Records of the list that do not hold. */
    skipped: z.int().nonnegative(),
  }),
  /** The first of the days by which a garden has to pass the coverage gate that it was let through (§21.8.3 S10). */
  recertify_by: z.string().nullable(),
});

export type Readiness = z.infer<typeof Readiness>;
