import { readCapabilityHistory } from '../../capabilities/use-cases/capability-history.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { BUNDLE_FLAGS, SOURCE_FLAGS } from '../../world/flags/shared.ts';
import type { World } from '../../world/world.ts';
import { readUnitHistory } from '../unit-history.ts';
import type { SourceHistory } from './history.ts';

type SourceFlags = Arguments<typeof SOURCE_FLAGS & typeof BUNDLE_FLAGS>;

/**
 * Reads the versions of the unit, the atom or the role that the flags name.
 *
 * @throws argument_invalid, bundle_not_found, bundle_unverified, agent_not_found, fact_not_found
 */
export function readSourceHistory(flags: SourceFlags, world: World): SourceHistory {
  const { agent, unit, atom, role } = flags;
  const given = [unit, atom, role].filter((it) => it !== undefined);
  if (given.length !== 1 || (agent === undefined) !== (unit === undefined)) {
    throw new VadeError('argument_invalid', 'name one of --agent with --unit, --atom and --role', { flag: 'unit' });
  }
  if (atom !== undefined) return readCapabilityHistory('atom', atom, flags, world);
  if (role !== undefined) return readCapabilityHistory('role', role, flags, world);
  return ofUnit({ ...flags, agent: agent ?? '', unit: unit ?? '' }, world);
}

function ofUnit(flags: Parameters<typeof readUnitHistory>[0], world: World): SourceHistory {
  const { bundle, garden, versions, inForce } = readUnitHistory(flags, world, 'readable');
  const approvals = garden.statement.predicate.approvals.filter((it) => it.unit === flags.unit);
  return { bundle, versions, inForce, approvals, files: [{ file: versions.at(-1)?.file ?? '', versions }] };
}
