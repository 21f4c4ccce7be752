import { z } from 'zod';
import { AgentMetrics } from '../api/metrics.ts';
import { COVERAGE_K } from '../bundle/coverage.ts';
import { QuarantinedFact } from '../bundle/quarantine.ts';
import { Instant } from '../primitives.ts';
import { UsedApproval } from '../source/approval.ts';
import { ProbeResult, ProbeSummary } from '../source/probe.ts';
import { AgentSummary } from './agent-summary.ts';
import { UnitReport, UnitVersion } from './unit-report.ts';

/** A share, 0..1, to four places; null if there is no data for it. */
const Share = z.number().min(0).max(1).nullable();

/** Versions of a unit, newest first, and how many older ones are left out. */
const History = { versions: z.array(UnitVersion), more_versions: z.int().nonnegative() };

/** Change of a unit since the compared bundle; `delivery` if its text is unchanged. */
export const UnitChange = z.strictObject({
  name: z.string(),
  kind: z.enum(['added', 'changed', 'delivery', 'removed']),
  shared: z.boolean(),
  from: z.strictObject({ uri: z.string(), version: z.int(), tokens: z.int() }).nullable(),
  to: z.strictObject({ uri: z.string(), version: z.int(), tokens: z.int() }).nullable(),
  /** Coverage before and after, if both were measured. */
  coverage: z.strictObject({ from: Share, to: Share }),
  /** Findability before and after, and the nearest rivals after; null without a trigger that can be paraphrased. */
  findability: z.strictObject({ from: Share, to: Share, rivals: z.array(z.string()) }),
});

/** The depths of Recall@k in a report, and the number of days that one of a server covers. */
export const REPORT_DEPTHS = [1, COVERAGE_K, 10];
export const REPORT_DAYS = 28;

/** The figures of an agent, from the audit. */
export const AuditFigures = z.strictObject({
  metrics: AgentMetrics,
  /** Part of the audit that was read; if it is not complete, older rows of the window were not read. */
  read: z.strictObject({ rows: z.int().nonnegative(), complete: z.boolean(), from: Instant }),
});

/** The full report of one agent: `vade report` embeds it, and `/v1/agents/{agent_id}/report` returns it. */
export const AgentReport = z.strictObject({
  format: z.literal(1),
  summary: AgentSummary,
  /** How many units the manifest lists, and how many it has no room for. */
  manifest: z.strictObject({ listed: z.int().nonnegative(), unlisted: z.int().nonnegative() }).nullable(),
  units: z.array(UnitReport),
  /** Null without curated probes. */
  probes: z
    .strictObject({
      summary: ProbeSummary,
      results: z.array(ProbeResult),
      /** Intents whose probes pass now but failed before, and those whose probes fail now but passed before. */
      won: z.array(z.string()),
      lost: z.array(z.string()),
    })
    .nullable(),
  approvals: z.array(UsedApproval),
  held: z.array(QuarantinedFact),
  /** Own units of the compared bundle that no longer exist, with their texts. */
  gone: z.array(z.strictObject({ name: z.string(), ...History })),
  /** Null if there is no bundle to compare with. */
  changes: z.array(UnitChange).nullable(),
  /** Null if no audit was read. */
  audit: AuditFigures.nullable(),
});

export type UnitChange = z.infer<typeof UnitChange>;
export type AuditFigures = z.infer<typeof AuditFigures>;
export type AgentReport = z.infer<typeof AgentReport>;
