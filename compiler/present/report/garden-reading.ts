import type { Coverage } from '../../schema/bundle/coverage.ts';
import type { Fact, FactVersion } from '../../schema/bundle/fact.ts';
import type { GardenPredicate } from '../../schema/bundle/garden.ts';
import type { Manifest } from '../../schema/bundle/manifest.ts';
import type { QuarantinedFact } from '../../schema/bundle/quarantine.ts';
import type { ProbeReport } from '../../schema/source/probe.ts';

/** What a report is made from: one garden of a bundle, proven and parsed, without its index. */
export interface GardenReading {
  readonly name: string;
  readonly digest: string;
  readonly predicate: GardenPredicate;
  /** In force; the garden's own. What was withdrawn since is among them, without its text. */
  readonly facts: readonly Fact[];
  /** Earlier versions, and those of units that are gone. */
  readonly history: readonly FactVersion[];
  readonly coverage: Coverage | null;
  readonly probes: ProbeReport | null;
  readonly manifest: Manifest | null;
  readonly held: readonly QuarantinedFact[];
}

/** An agent's garden with the shared one that it is recalled together with. */
export interface AgentReading {
  readonly own: GardenReading;
  readonly shared: GardenReading;
}

/** Everything that an agent may load, by name. */
export function factsOf({ own, shared }: AgentReading): Fact[] {
  return [...own.facts, ...shared.facts].sort((a, b) => (a.name < b.name ? -1 : 1));
}
