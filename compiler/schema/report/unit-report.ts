import { z } from 'zod';
import { Miss } from '../bundle/coverage.ts';
import { Fallback, FactVersion } from '../bundle/fact.ts';
import { Instant } from '../primitives.ts';
import { UsedApproval } from '../source/approval.ts';
import { Delivery } from '../source/unit.ts';
import { Name } from '../uri.ts';
import { CoverageStatus } from './coverage-report.ts';

/** How many versions of a unit a report tells in full; how many more there are is counted. */
export const MAX_VERSIONS = 20;

/** A share, 0..1, to four places. */
const Share = z.number().min(0).max(1);

/** One version of a unit: its text, and who stands behind it. Untrusted text. */
export const UnitVersion = FactVersion.omit({ name: true, source_digest: true, derived_from: true });

/** How well a unit is found, by unlifted ranks (§21.8.6). */
export const UnitMeasure = z.strictObject({
  coverage_pct: Share,
  hit_at_10: Share,
  hit_at_3: Share.nullable(),
  probe_count: z.int().nonnegative(),
  status: CoverageStatus,
  last_evaluated_at: Instant,
  paraphrases: z.int().nonnegative(),
  found: z.int().nonnegative(),
  judged_by: z.enum(['intents', 'description']),
  misses: z.array(Miss),
  suggested_words: z.array(z.string()),
  repeats_content: z.array(z.string()),
});

/** One unit of an agent's report. */
export const UnitReport = z.strictObject({
  name: Name,
  uri: z.string(),
  /** Whether it is of the deployment's shared garden; its versions then stand in the deployment's report. */
  shared: z.boolean(),
  tokens: z.int().nonnegative(),
  delivery: Delivery,
  fallback: Fallback.nullable(),
  /** Until when it is in force; null for ever. */
  valid_until: Instant.nullable(),
  /** Null where nothing was measured. */
  measure: UnitMeasure.nullable(),
  /** Whether it is lifted because it is hardly ever found (§21.5.5). */
  lifted: z.boolean(),
  approvals: z.array(UsedApproval),
  /** Newest first; empty for a shared unit. */
  versions: z.array(UnitVersion),
  /** Older ones that are not told. */
  more_versions: z.int().nonnegative(),
});

export type UnitVersion = z.infer<typeof UnitVersion>;
export type UnitMeasure = z.infer<typeof UnitMeasure>;
export type UnitReport = z.infer<typeof UnitReport>;
