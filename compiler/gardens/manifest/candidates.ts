import type { Fact } from '../../schema/bundle/fact.ts';
import type { ManifestEntry } from '../../schema/bundle/manifest.ts';
import type { Agent } from '../../schema/source/agent.ts';
import type { ProbeSet } from '../../schema/source/probe.ts';
import type { Delivery } from '../../schema/source/unit.ts';
import { byText } from '../../trust/canonical.ts';
import { toEntry } from './manifest.ts';

/** A unit that a manifest may list, and what decides about its place. */
export interface ManifestCandidate {
  /** Its entry without intents. */
  readonly entry: ManifestEntry;
  /** The intents that its entry shows where there is room. */
  readonly intents: readonly string[];
  /** Whether the manifest has to list it, whatever its place in the order. */
  readonly needed: boolean;
  readonly priority: number;
  /** Whether it is a skill in place, which its host lists already. */
  readonly isSkill: boolean;
  /** Number of probes that require it. */
  readonly probes: number;
}

/** The units of an agent's garden, and who says which of them are listed. */
export interface Listable {
  readonly agent: Agent;
  readonly own: readonly Fact[];
  readonly shared: readonly Fact[];
  readonly probes: ProbeSet | null;
}

/** Units that a manifest may list: the agent's own, unless front matter forbids it, and shared ones of `agent.yaml`. */
export function manifestCandidatesOf({ agent, own, shared, probes }: Listable): ManifestCandidate[] {
  const wanted = probesByUnit(probes);
  const facts = [
    ...own.filter(({ delivery }) => delivery.listed),
    ...shared.filter(({ name }) => agent.shared.includes(name)),
  ];
  return facts.map((fact) => ({
    entry: toEntry(fact, agent.migration_mode),
    intents: shownIntents(fact.delivery),
    needed: isNeeded(fact, agent),
    priority: fact.delivery.priority ?? 0,
    isSkill: fact.skill !== undefined,
    probes: wanted.get(fact.name) ?? 0,
  }));
}

/** §21.1.5 reads the wake reasons in the manifest; the boot stub leads to the heartbeat contract. */
function isNeeded({ name, delivery }: Fact, agent: Agent): boolean {
  const { guarantee_load, required_by_task_types } = delivery;
  return guarantee_load || required_by_task_types.length > 0 || name === agent.heartbeat_contract;
}

/** In how many probes each unit is required. */
function probesByUnit(set: ProbeSet | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { required } of set?.probes ?? [])
    for (const name of new Set(required)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** An entry shows at most so many intents, and none that is longer: another unit's description serves more. */
const SHOWN_INTENTS = 3;
const SHORT_INTENT = 60;

/** The first short intents of a unit, as its author ordered them. */
function shownIntents({ load_triggers: { intents } }: Delivery): string[] {
  return intents.filter((it) => Array.from(it).length <= SHORT_INTENT).slice(0, SHOWN_INTENTS);
}

/** The order in which units get a place (DESIGN §6.5). */
export function byPlace(a: ManifestCandidate, b: ManifestCandidate): number {
  return (
    b.priority - a.priority ||
    Number(b.needed) - Number(a.needed) ||
    Number(a.isSkill) - Number(b.isSkill) ||
    b.probes - a.probes ||
    byText(a.entry.name, b.entry.name)
  );
}
