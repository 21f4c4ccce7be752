import { z } from 'zod';
import { Instant } from '../primitives.ts';

/** §21.8.3: the result of a publication. */
export const Published = z.looseObject({
  fact_uri: z.string(),
  token_count: z.int().nonnegative(),
  coverage_report: z.array(z.looseObject({ name: z.string(), coverage_pct: z.number(), hit_at_10: z.number() })),
  /** If the coverage gate was bypassed: the deadline for passing it (§21.8.3 S10). */
  recertify_by: Instant.nullable(),
  commit: z.string(),
  /** The revision of the bundle that contains it. */
  revision: z.string(),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
});

export type Published = z.infer<typeof Published>;
