import { z } from 'zod';
import { Findability, Miss, TextRuleResult, UnitCoverage } from '../bundle/coverage.ts';
import { Fallback, FactVersion } from '../bundle/fact.ts';
import { Instant } from '../primitives.ts';
import { UsedApproval } from '../source/approval.ts';
import { MAX_PHRASES } from '../source/phrases.ts';
import { Delivery } from '../source/unit.ts';
import { Name } from '../uri.ts';
import { CoverageStatus } from './coverage-report.ts';

/** Maximum number of versions of a unit that a report contains in full; further ones are only counted. */
export const MAX_VERSIONS = 20;

/** A share, 0..1, to four places. */
const Share = z.number().min(0).max(1);

/** One version of a unit: its text and its provenance. Untrusted text. */
export const UnitVersion = FactVersion.pick({
  uri: true,
  version: true,
  content: true,
  created_at: true,
  valid_until: true,
  authored_by: true,
  coauthored_by: true,
  verified: true,
  approved_by: true,
  withheld: true,
  commit: true,
});

/** How well recall finds a unit, by ranks without boost (§21.8.6). */
export const UnitMeasure = z.strictObject({
  coverage_pct: Share,
  hit_at_10: Share,
  hit_at_3: Share.nullable(),
  probe_count: z.int().nonnegative(),
  status: CoverageStatus,
  last_evaluated_at: Instant,
  paraphrases: z.int().nonnegative(),
  verbatim: z.int().nonnegative(),
  found: z.int().nonnegative(),
  judged_by: UnitCoverage.shape.judged_by,
  not_evaluated: z.array(z.string()),
  misses: z.array(Miss),
  suggested_words: z.array(z.string()),
  text_rules: z.array(TextRuleResult),
  findability: Findability.nullable(),
});

/** One unit of an agent's report. */
export const UnitReport = z.strictObject({
  name: Name,
  uri: z.string(),
  /** Whether it is a unit of the shared garden; its versions are then in the report of the deployment. */
  shared: z.boolean(),
  /** Whether the manifest lists it. */
  listed: z.boolean(),
  tokens: z.int().nonnegative(),
  delivery: Delivery,
  fallback: Fallback.nullable(),
  /** When it expires; null if it does not. */
  valid_until: Instant.nullable(),
  /** Null if it was not measured. */
  measure: UnitMeasure.nullable(),
  /** Whether it is boosted because it is hardly ever found (§21.5.5). */
  lifted: z.boolean(),
  /** Other words that find it; null if it has none. Untrusted text. */
  phrases: z
    .strictObject({
      by: z.string(),
      phrases: z.array(z.string()).max(MAX_PHRASES),
      /** Whether they were written for another text. */
      stale: z.boolean(),
    })
    .nullable(),
  approvals: z.array(UsedApproval),
  /** Newest first; empty for a shared unit. */
  versions: z.array(UnitVersion),
  /** Number of older versions that are left out. */
  more_versions: z.int().nonnegative(),
});

export type UnitVersion = z.infer<typeof UnitVersion>;
export type UnitMeasure = z.infer<typeof UnitMeasure>;
export type UnitReport = z.infer<typeof UnitReport>;
