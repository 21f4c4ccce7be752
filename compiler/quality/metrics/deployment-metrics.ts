import type { MetricsWindow } from '../../schema/api/metrics-query.ts';
import { type DeploymentMetrics, LIMITATION } from '../../schema/api/metrics.ts';
import type { AuditSums } from '../../schema/audit/sums.ts';
import { compared, instants, measuring, type Measured } from './metrics.ts';
import { Tally, type SumsPlace, type AnswerNotes } from './tally.ts';

/** The metrics of every agent and of all together, as their rows are told in any order. */
export function measuringAll(measured: readonly Measured[], window: MetricsWindow) {
  const agents = new Map(measured.map((it) => [it.agent_id, measuring(it, window)]));
  const total = new Tally(window.depths, window);
  const strangers = new Map<string, number>();
  const add = (told: AnswerNotes) => {
    const agent = agents.get(told.agent_id);
    if (!agent) {
      strangers.set(told.agent_id, (strangers.get(told.agent_id) ?? 0) + 1);
      return;
    }
    agent.add(told);
    total.add(told, agent.isOwn(told));
  };
  const addSums = (sums: AuditSums, place: SumsPlace) => {
    agents.get(sums.agent_id)?.addSums(sums, place);
    total.addSums(sums, place);
  };
  /** Rows of agents of which nothing else is told. */
  const addRows = (agent_id: string, rows: number) => {
    if (!agents.has(agent_id)) strangers.set(agent_id, (strangers.get(agent_id) ?? 0) + rows);
  };
  const result = (): DeploymentMetrics => {
    const told = [...agents.values()].map((it) => it.result()).sort(byName);
    return {
      ...instants(window),
      agents: told,
      total: { ...total.figures(), tokens: together(told) },
      strangers: [...strangers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([agent_id, rows]) => ({ agent_id, rows })),
      limitation: LIMITATION,
    };
  };
  return { add, addSums, addRows, result };
}

function byName(a: { readonly agent: string }, b: { readonly agent: string }): number {
  return a.agent < b.agent ? -1 : 1;
}

/** Each agent's heartbeats against its own units, summed up. */
function together(agents: DeploymentMetrics['agents']) {
  const sum = (of: 'heartbeats' | 'unnamed' | 'lazy' | 'eager') => agents.reduce((all, it) => all + it.tokens[of], 0);
  return compared(sum('heartbeats'), sum('unnamed'), sum('lazy'), sum('eager'));
}
