import type { DeploymentMetrics } from '../../schema/api/metrics.ts';
import { spooledWarnings } from '../../world/audit-place.ts';
import type { Warning } from '../../world/world.ts';

export const OVERDUE = 'RECERTIFICATION_DUE';

/** The warnings of figures, and those among them that `--fail-on-alert` fails for. */
export function metricsWarnings(metrics: DeploymentMetrics, spooled: number) {
  const [missed, due] = [missRates(metrics), overdue(metrics)];
  const warnings = [...missed, ...rarelyUsed(metrics), ...due, ...gaps(metrics, spooled)];
  return { alerts: [...missed, ...due], warnings };
}

function missRates({ agents, total }: DeploymentMetrics): Warning[] {
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
