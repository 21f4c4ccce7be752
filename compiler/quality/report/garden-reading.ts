import type { Coverage } from '../../schema/bundle/coverage.ts';
import { servedDigest, type Fact, type FactVersion } from '../../schema/bundle/fact.ts';
import type { GardenPredicate } from '../../schema/bundle/garden.ts';
import type { Manifest } from '../../schema/bundle/manifest.ts';
import type { QuarantinedFact } from '../../schema/bundle/quarantine.ts';
import type { UnitPhrases } from '../../schema/source/phrases.ts';
import type { ProbeReport } from '../../schema/source/probe.ts';

/** The input of a report: one garden of a bundle, verified and parsed, without its index. */
export interface GardenReading {
  readonly name: string;
  readonly digest: string;
  readonly predicate: GardenPredicate;
  /** The garden's own facts in force, including withdrawn ones without their texts. */
  readonly facts: readonly Fact[];
  /** Earlier versions, and versions of deleted units. */
  readonly history: readonly FactVersion[];
  readonly coverage: Coverage | null;
  readonly probes: ProbeReport | null;
  /** By name, for its own units and the shared ones; empty for the shared garden. */
  readonly phrases: readonly UnitPhrases[];
  readonly manifest: Manifest | null;
  readonly held: readonly QuarantinedFact[];
}

/** An agent's garden, and the shared garden that recall searches together with it. */
export interface AgentReading {
  readonly own: GardenReading;
  readonly shared: GardenReading;
}

/** Whether phrases were written for another text than the unit has now. */
export function areStale({ digest }: UnitPhrases, fact: Fact | undefined): boolean {
  return digest !== null && fact !== undefined && digest !== servedDigest(fact);
}

/** All facts that an agent may load, by name. */
export function factsOf({ own, shared }: AgentReading): Fact[] {
  return [...own.facts, ...shared.facts].sort((a, b) => (a.name < b.name ? -1 : 1));
}
