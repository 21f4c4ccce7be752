import type { Coverage } from '../../model/coverage.ts';
import type { Fact, FactVersion } from '../../model/fact.ts';
import type { GardenPredicate } from '../../model/garden.ts';
import type { Manifest } from '../../model/manifest.ts';
import type { ProbeReport } from '../../model/probe.ts';
import type { HeldFact } from '../../model/quarantine.ts';

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
  readonly held: readonly HeldFact[];
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
