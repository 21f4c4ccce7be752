import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import { Name } from '../uri.ts';
import { AgentSummary } from './agent-summary.ts';
import { UnitVersion } from './unit-report.ts';

/** A bundle, as it is named. */
const BundleName = z.strictObject({
  revision: z.string(),
  serial: z.int().positive(),
  commit: z.string(),
  committed_at: Instant,
});

/** How much of the audit stands behind the figures. */
export const AuditSpan = z.strictObject({
  since: Instant,
  until: Instant,
  /** Rows that were read. */
  answers: z.int().nonnegative(),
  /** Whether all rows of the span were read; the newest are left out first where not. */
  complete: z.boolean(),
});

/** The limits that figures are held against. */
const ReportLimits = z.strictObject({
  stub: z.int(),
  stub_target: z.int(),
  manifest: z.int(),
  coverage: z.number(),
  critical_hit: z.number(),
  miss_rate: z.number(),
  miss_events: z.int(),
  relevant: z.number(),
});

/** A deployment at a glance: what `vade report` writes and `/v1/report` answers. Agents' pages are reports of their own. */
export const Report = z.strictObject({
  format: z.literal(1),
  generated_at: Instant,
  deployment: z.string(),
  compiler: z.string(),
  bundle: BundleName,
  model: z.strictObject({ name: z.string(), dims: z.int(), digest: Digest }).nullable(),
  previous: BundleName.nullable(),
  /** Null where no audit was given. */
  audit: AuditSpan.nullable(),
  /** Whether intents of the audit are shown. */
  shows_intents: z.boolean(),
  limits: ReportLimits,
  /** By name. */
  agents: z.array(AgentSummary),
  /** Agents whose garden does not verify: they are in nothing here. */
  unread: z.array(Name),
  /** Versions of the shared units: every agent's report refers to them here. */
  shared: z.array(z.strictObject({ name: Name, versions: z.array(UnitVersion), more_versions: z.int().nonnegative() })),
  /** What these figures cannot show, in words. */
  limitation: z.string(),
});

export type AuditSpan = z.infer<typeof AuditSpan>;
export type Report = z.infer<typeof Report>;
