import { z } from 'zod';
import type { DeploymentMetrics } from '../../../schema/api/metrics.ts';
import { VadeError } from '../../../schema/errors.ts';
import { spooledWarnings } from '../../../world/audit-place.ts';
import { METRICS } from '../../../world/flags/quality.ts';
import { type Warning } from '../../../world/world.ts';
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

function conclude({ revision, metrics, spooled }: MeasuredAudit, text: string, fails: boolean): CommandResult {
  const data = { revision, ...metrics, spooled };
  const warnings = [...alerts(metrics), ...rarelyUsed(metrics), ...overdue(metrics), ...gaps(metrics, spooled)];
  const [alert] = [...alerts(metrics), ...overdue(metrics)];
  if (!fails || !alert) return { data, text, warnings };
  const code = alert.code === OVERDUE ? 'manifest_coverage_failure' : 'miss_rate_alert';
  throw new VadeError(code, alert.message, data);
}

const OVERDUE = 'RECERTIFICATION_DUE';

function alerts({ agents, total }: DeploymentMetrics): Warning[] {
  const alone = agents.filter((it) => it.alert).map((it) => ({ of: it.agent, ...it.rolling }));
  const all = total.alert && alone.length === 0 ? [{ of: 'all agents together', ...total.rolling }] : [];
  return [...alone, ...all].map(({ of, miss_rate, events }) => ({
    code: 'MISS_RATE_ALERT',
    message: `${of}: the miss rate is ${String(miss_rate)} over ${events} events of the last seven days`,
  }));
}

function rarelyUsed({ agents }: DeploymentMetrics): Warning[] {
  return agents.flatMap(({ agent, guaranteed }) =>
    guaranteed
      .filter((it) => it.warning)
      .map(({ name, relevant, recalled }) => ({
        code: 'GUARANTEE_IN_DOUBT',
        message: `${agent}: ${name} is guaranteed, but used in only ${String(relevant)} of ${recalled} recalls (§21.3.3.4)`,
      })),
  );
}

/** §21.8.3 S10: a garden that bypassed the coverage gate has a deadline for passing it. */
function overdue({ agents }: DeploymentMetrics): Warning[] {
  return agents.flatMap(({ agent, recertify }) => {
    if (!recertify?.overdue) return [];
    const message = `${agent}: ${recertify.units.join(', ')} had to pass the coverage gate by ${recertify.by}`;
    return [{ code: OVERDUE, message }];
  });
}

/** Warnings about data that the figures do not include. */
function gaps({ strangers }: DeploymentMetrics, spooled: number): Warning[] {
  const unknown = `${strangers.length} agents of the audit are not in the bundle, so the figures leave them out`;
  return [
    ...spooledWarnings(spooled),
    ...(strangers.length > 0 ? [{ code: 'AGENTS_UNKNOWN', message: unknown, context: { agents: strangers } }] : []),
  ];
}
