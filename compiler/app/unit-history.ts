import { gardenOf } from '../io/bundle/load-garden.ts';
import { readFacts, readHistory, type OpenBundle, type ProvenGarden } from '../io/bundle/open-bundle.ts';
import type { FactVersion } from '../schema/bundle/fact.ts';
import { VadeError } from '../schema/errors.ts';
import { SHARED } from '../schema/uri.ts';
import type { Arguments } from '../world/flags/flag.ts';
import { pinnedBundle } from '../world/pinned-bundle.ts';
import type { World } from '../world/world.ts';
import type { WITHDRAW } from './flags/trust.ts';

export type UnitFlags = Pick<Arguments<typeof WITHDRAW>, 'bundle' | 'trust' | 'dev' | 'agent' | 'unit'>;

/** The verified history of one unit in a bundle. */
export interface UnitHistory {
  readonly bundle: OpenBundle;
  readonly garden: ProvenGarden;
  /** Every version, oldest first. */
  readonly versions: readonly FactVersion[];
  /** The version in force; null if the unit is deleted or quarantined. */
  readonly inForce: FactVersion | null;
}

/**
 * Reads a unit's versions from a bundle.
 *
 * @param gardens whether to search all units that the agent may read, including shared ones, or only its own garden
 * @throws bundle_not_found, bundle_unverified, agent_not_found, fact_not_found
 */
export function readUnitHistory(args: UnitFlags, world: World, gardens: 'readable' | 'own'): UnitHistory {
  const bundle = pinnedBundle(args, world);
  const name = args.agent === SHARED ? SHARED : gardenOf(bundle, args.agent);
  for (const garden of gardens === 'own' ? [name] : new Set([name, SHARED])) {
    const found = readVersions(bundle, garden, args.unit);
    if (found.versions.length > 0) return found;
  }
  throw new VadeError('fact_not_found', `garden ${name} has no unit ${args.unit}, and never had one`);
}

function readVersions(bundle: OpenBundle, name: string, unit: string): UnitHistory {
  const garden = bundle.readGarden(name);
  const file = (path: string) => garden.files.get(path) ?? Buffer.from('{"format":1,"facts":[]}');
  const inForce = readFacts(file('facts.json')).find((it) => it.name === unit) ?? null;
  const before = readHistory(file('history.json')).filter((it) => it.name === unit);
  const versions = [...before, ...(inForce ? [inForce] : [])].sort((a, b) => a.version - b.version);
  return { bundle, garden, versions, inForce };
}
