import { createDeploymentMetrics } from '../../compiler/quality/metrics/deployment-metrics.ts';
import { createMetrics, type Measured } from '../../compiler/quality/metrics/metrics.ts';
import type { AgentReading } from '../../compiler/quality/report/garden-reading.ts';
import { auditLine } from '../../compiler/quality/report/summary.ts';
import { ROLLING_DAYS } from '../../compiler/schema/api/metrics.ts';
import { REPORT_DAYS, REPORT_DEPTHS, type AuditFigures } from '../../compiler/schema/report/agent-report.ts';
import type { AgentSummary } from '../../compiler/schema/report/agent-summary.ts';
import type { AuditSpan } from '../../compiler/schema/report/report.ts';
import { readBack, READING, type ReadingLimits } from '../audit/read.ts';
import type { AuditLog } from '../audit/records/log.ts';
import { measuredBy } from './report-gardens.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Limits of the audit read for one overview. */
const WEEK: ReadingLimits = { ...READING, ms: 5000 };

/**
 * The last seven days of all agents, as far back as the time limit allows.
 *
 * @param options `now` in milliseconds since 1970; `signal` aborted once the caller no longer waits
 * @throws recall_backend_unavailable, audit_unverified
 */
export async function weekOf(
  audit: AuditLog,
  measured: readonly Measured[],
  { now, signal }: { readonly now: number; readonly signal?: AbortSignal | undefined },
) {
  const window = { since: now - ROLLING_DAYS * DAY_MS, until: now + 1, depths: REPORT_DEPTHS };
  const all = createDeploymentMetrics(measured, window);
  const entities = Object.fromEntries(measured.map((it) => [it.agent_id, it.entity]));
  const read = await readBack(audit, { agent: null, entities, ...window }, all, { ...WEEK, signal });
  const figures = new Map(all.result().agents.map((it) => [it.agent_id, it]));
  const span: AuditSpan = {
    since: new Date(read.from).toISOString(),
    until: new Date(now).toISOString(),
    answers: read.rows,
    complete: read.complete,
  };
  const lineOf = (agentId: string): AgentSummary['audit'] => {
    const found = figures.get(agentId);
    return found ? auditLine(found) : null;
  };
  return { span, lineOf };
}

/**
 * The audit figures of one agent.
 *
 * @param options `now` in milliseconds since 1970; `signal` aborted once the caller no longer waits
 * @throws recall_backend_unavailable, audit_unverified
 */
export async function figuresOf(
  audit: AuditLog,
  reading: AgentReading,
  { now, signal }: { readonly now: number; readonly signal?: AbortSignal | undefined },
): Promise<AuditFigures> {
  const measured = measuredBy(reading, now);
  const window = { since: now - REPORT_DAYS * DAY_MS, until: now + 1, depths: REPORT_DEPTHS };
  const figures = createMetrics(measured, window);
  const { agent_id: agent, entity } = measured;
  const query = { agent, entities: { [agent]: entity }, ...window };
  const { rows, complete, from } = await readBack(audit, query, figures, { ...READING, signal });
  return { metrics: figures.result(), read: { rows, complete, from: new Date(from).toISOString() } };
}
