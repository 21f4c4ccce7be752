import { z } from 'zod';

/** The readiness for load balancers and operators: whether the server answers, from which bundle, and its problems. */
export const Readiness = z.strictObject({
  /**
   * `ending`: the server is shutting down, and still answers requests. `damaged`: the shared garden does not verify, so
   * that the server answers no agent.
   */
  status: z.enum(['ready', 'stale', 'damaged', 'ending']),
  bundle_revision: z.string(),
  /** Whether the freshness statement is valid; null if the bundle has none. */
  fresh: z.boolean().nullable(),
  /** Since when the server has rejected a newer bundle, and why; null if it serves the newest. */
  refused: z.strictObject({ reason: z.string(), since: z.string() }).nullable(),
  /** Gardens answered with 503 because they do not verify; null if there are none. The log has their names. */
  unavailable: z
    .strictObject({
      gardens: z.int().positive(),
      /** Number of them that may recover without an operator, because a mirror fetches them again. */
      retryable: z.int().nonnegative(),
      /** Sorted; the same reasons as in the log. */
      reasons: z.array(z.string()),
      /** Of the first garden that failed. */
      since: z.string(),
    })
    .nullable(),
  held: z.int().nonnegative(),
  withdrawn: z.int().nonnegative(),
  withdrawals: z.strictObject({
    /**
     * `bounded`: a withdrawn fact is served at most until `until`. `unknown`: a host can hide withdrawals without
     * limit, because no freshness statement is valid, or the server is configured to run without one. `missing`: a
     * signed freshness statement names withdrawals that the list lacks.
     */
    status: z.enum(['bounded', 'unknown', 'missing']),
    until: z.string().nullable(),
    missing: z.int().nonnegative(),
    /** Invalid records in the list. */
    skipped: z.int().nonnegative(),
  }),
  /** The earliest deadline by which a garden has to pass the coverage gate that it bypassed (§21.8.3 S10). */
  recertify_by: z.string().nullable(),
});

export type Readiness = z.infer<typeof Readiness>;
