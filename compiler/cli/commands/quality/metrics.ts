import { z } from 'zod';
import { metricsWarnings, OVERDUE } from '../../../app/report/metrics-warnings.ts';
import type { DeploymentMetrics } from '../../../schema/api/metrics.ts';
import { VadeError } from '../../../schema/errors.ts';
import { METRICS } from '../../../world/flags/quality.ts';
import type { PrintedText } from '../../../world/world.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { defineCommand, type CommandResult } from '../../registry.ts';

export const metricsCommand = defineCommand({
  path: 'metrics',
  description: 'Measure the audit: Recall@k, Hit@k, miss rate, guarantees, tokens saved',
  danger: 'safe',
  scopes: ['audit:read'],
  flags: METRICS,
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  // short, since the manifest pays for tokens; GET /v1/agents/{agent_id}/metrics documents an agent's full shape
  output: z.object({ revision: z.string(), agents: z.array(z.looseObject({})), total: z.looseObject({}) }).loose(),
  examples: [{ description: 'In a scheduled job', command: 'vade metrics --trust root.json --fail-on-alert' }],
  run: async (args, world) => {
    const { measureAudit } = await import('../../../app/report/measure-audit.ts');
    const { metricsText } = await import('../../../present/terminal/metrics.ts');
    const measured = await measureAudit(args, world);
    return conclude(measured, metricsText(measured.metrics), args['fail-on-alert']);
  },
});

interface MeasuredAudit {
  readonly revision: string;
  readonly metrics: DeploymentMetrics;
  readonly spooled: number;
}

function conclude({ revision, metrics, spooled }: MeasuredAudit, text: PrintedText, fails: boolean): CommandResult {
  const data = { revision, ...metrics, spooled };
  const { alerts, warnings } = metricsWarnings(metrics, spooled);
  const [alert] = alerts;
  if (!fails || !alert) return { data, text, warnings };
  const code = alert.code === OVERDUE ? 'manifest_coverage_failure' : 'miss_rate_alert';
  throw new VadeError(code, alert.message, data);
}
