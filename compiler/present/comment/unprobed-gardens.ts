import { unprobed } from '../../quality/probes.ts';
import type { AgentReading } from '../../quality/report/garden-reading.ts';
import { MOST_UNPROBED, type UnprobedGarden } from '../../schema/report/comparison.ts';
import type { ProbeResult } from '../../schema/source/probe.ts';
import { SHARED } from '../../schema/uri.ts';

/** The names of an agent's units, and its probes: all that is kept of its reading. */
export interface ProbedUnits {
  readonly agent: string;
  readonly own: readonly string[];
  readonly shared: readonly string[];
  /** Names of all these units that have no trigger. */
  readonly untriggered: readonly string[];
  readonly results: readonly ProbeResult[];
}

export function probedUnits(agent: string, { own, shared }: AgentReading): ProbedUnits {
  const names = (of: AgentReading['own']) => of.facts.map(({ name }) => name);
  const untriggered = [...own.facts, ...shared.facts].filter((it) => it.delivery.load_triggers.intents.length === 0);
  return {
    agent,
    own: names(own),
    shared: names(shared),
    untriggered: untriggered.map(({ name }) => name),
    results: own.probes?.results ?? [],
  };
}

/** Units that no probe requires: of each agent its own, by its probes; shared ones, by the probes of all agents. */
export function unprobedGardens(agents: readonly ProbedUnits[]): UnprobedGarden[] {
  const shared = [...new Set(agents.flatMap((it) => it.shared))];
  const all = agents.flatMap((it) => it.results);
  const bare = new Set(agents.flatMap((it) => it.untriggered));
  const gardens = [
    ...agents.map((it) => ({ garden: it.agent, left: unprobed(it.own, it.results), bare: new Set(it.untriggered) })),
    { garden: SHARED, left: unprobed(shared, all), bare },
  ];
  return gardens.flatMap(({ garden, left, bare }) => {
    const untriggered = left.filter((it) => bare.has(it)).length;
    return left.length === 0 ? [] : [{ garden, count: left.length, names: left.slice(0, MOST_UNPROBED), untriggered }];
  });
}
