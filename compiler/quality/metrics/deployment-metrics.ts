import type { MetricsWindow } from '../../schema/api/metrics-query.ts';
import { type DeploymentMetrics, LIMITATION } from '../../schema/api/metrics.ts';
import type { ArrivalSums, AuditSums } from '../../schema/audit/sums.ts';
import { compared, instants, createMetrics, type Measured } from './metrics.ts';
import { Tally, type SumsPlace } from './tally.ts';

/** Accumulates the metrics of every agent and of all together; sums may come in any order. */
export function createDeploymentMetrics(measured: readonly Measured[], window: MetricsWindow) {
  const agents = new Map(measured.map((it) => [it.agent_id, createMetrics(it, window)]));
  const total = new Tally(window.depths, window);
  const strangers = new Map<string, number>();
  const addSums = (sums: AuditSums, place: SumsPlace) => {
    agents.get(sums.agent_id)?.addSums(sums, place);
    total.addSums(sums, place);
  };
  const addArrivals = (sums: ArrivalSums) => {
    agents.get(sums.agent_id)?.addArrivals(sums);
    total.arrivals.add(sums);
  };
  /** Counts rows of agents that the bundle does not have, without their content. */
  const addRows = (agent_id: string, rows: number) => {
    if (!agents.has(agent_id)) strangers.set(agent_id, (strangers.get(agent_id) ?? 0) + rows);
  };
  const result = (): DeploymentMetrics => {
    const results = [...agents.values()].map((it) => it.result()).sort(byName);
    return {
      ...instants(window),
      agents: results,
      total: { ...total.figures(), tokens: sumTokens(results) },
      strangers: [...strangers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([agent_id, rows]) => ({ agent_id, rows })),
      limitation: LIMITATION,
    };
  };
  return { addSums, addRows, addArrivals, result };
}

function byName(a: { readonly agent: string }, b: { readonly agent: string }): number {
  return a.agent < b.agent ? -1 : 1;
}

/** The sum over the agents, each compared with its own units. */
function sumTokens(agents: DeploymentMetrics['agents']) {
  const sum = (of: 'heartbeats' | 'unnamed' | 'lazy' | 'eager') => agents.reduce((all, it) => all + it.tokens[of], 0);
  return compared(sum('heartbeats'), sum('unnamed'), sum('lazy'), sum('eager'));
}
