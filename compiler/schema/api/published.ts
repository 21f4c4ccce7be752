import { z } from 'zod';
import { Instant } from '../primitives.ts';

/** §21.8.3: what a publication came to. */
export const Published = z.looseObject({
  fact_uri: z.string(),
  token_count: z.int().nonnegative(),
  coverage_report: z.array(z.looseObject({ name: z.string(), coverage_pct: z.number(), hit_at_10: z.number() })),
  /** Where the coverage gate was passed by: until when it has to be passed (§21.8.3 S10). */
  recertify_by: Instant.nullable(),
  commit: z.string(),
  /** The bundle that has it. */
  revision: z.string(),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
});

export type Published = z.infer<typeof Published>;
