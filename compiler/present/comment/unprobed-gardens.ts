import { unprobed } from '../../quality/probes.ts';
import { MOST_UNPROBED, type UnprobedGarden } from '../../schema/report/comparison.ts';
import type { ProbeResult } from '../../schema/source/probe.ts';
import { SHARED } from '../../schema/uri.ts';
import type { AgentReading } from '../report/garden-reading.ts';

/** The names of an agent's units, and its probes: all that is kept of its reading. */
export interface ProbedUnits {
  readonly agent: string;
  readonly own: readonly string[];
  readonly shared: readonly string[];
  readonly results: readonly ProbeResult[];
}

export function probedUnits(agent: string, { own, shared }: AgentReading): ProbedUnits {
  const names = (of: AgentReading['own']) => of.facts.map(({ name }) => name);
  return { agent, own: names(own), shared: names(shared), results: own.probes?.results ?? [] };
}

/** Units that no probe requires: of each agent its own, by its probes; shared ones, by the probes of all agents. */
export function unprobedGardens(agents: readonly ProbedUnits[]): UnprobedGarden[] {
  const shared = [...new Set(agents.flatMap((it) => it.shared))];
  const all = agents.flatMap((it) => it.results);
  const gardens = [
    ...agents.map(({ agent, own, results }) => ({ garden: agent, left: unprobed(own, results) })),
    { garden: SHARED, left: unprobed(shared, all) },
  ];
  return gardens.flatMap(({ garden, left }) => {
    return left.length === 0 ? [] : [{ garden, count: left.length, names: left.slice(0, MOST_UNPROBED) }];
  });
}
