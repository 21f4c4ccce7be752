import { z } from 'zod';
import { Instant } from '../primitives.ts';
import { Name } from '../uri.ts';
import { AgentSummary } from './agent-summary.ts';
import { UnitVersion } from './unit-report.ts';

/** The identity of a bundle. */
const BundleName = z.strictObject({
  serial: z.int().positive(),
  commit: z.string(),
  committed_at: Instant,
  /** True for a working tree, whose last step is not a commit. */
  unversioned: z.literal(true).optional(),
});

/** Part of the audit that was read for the figures. */
export const AuditSpan = z.strictObject({
  since: Instant,
  until: Instant,
  /** Number of rows that were read. */
  answers: z.int().nonnegative(),
  /** Whether all rows of the window were read; if not, the newest rows are missing. */
  complete: z.boolean(),
});

/** The limits that figures are compared with. */
const ReportLimits = z.strictObject({
  stub: z.int(),
  manifest: z.int(),
  coverage: z.number(),
  critical_hit: z.number(),
  miss_rate: z.number(),
  miss_events: z.int(),
  relevant: z.number(),
});

/** The overview of a deployment, from `vade report` and `/v1/report`. Each agent has a separate report. */
export const Report = z.strictObject({
  format: z.literal(1),
  generated_at: Instant,
  deployment: z.string(),
  compiler: z.string(),
  bundle: BundleName,
  model: z.strictObject({ name: z.string(), dims: z.int() }).nullable(),
  previous: BundleName.nullable(),
  /** Null if no audit was given. */
  audit: AuditSpan.nullable(),
  limits: ReportLimits,
  /** By name. */
  agents: z.array(AgentSummary),
  /** Agents whose garden does not verify; the report contains nothing else about them. */
  unread: z.array(Name),
  /** Versions of the shared units; the agents' reports refer to them. */
  shared: z.array(z.strictObject({ name: Name, versions: z.array(UnitVersion), more_versions: z.int().nonnegative() })),
  /** The facts that these figures cannot show. */
  limitation: z.string(),
});

export type AuditSpan = z.infer<typeof AuditSpan>;
export type Report = z.infer<typeof Report>;
