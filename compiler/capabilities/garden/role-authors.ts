import { neededFor, type Authors, type Needed } from '../../gardens/approvals/needed.ts';
import type { FiledConsent } from '../../gardens/approvals/read-decisions.ts';
import type { CapabilityFact } from '../../schema/bundle/capability-garden.ts';
import { canonicalName } from '../../schema/identity.ts';
import { isProven, writersOf } from '../../trust/consent.ts';
import { sourcesOf, type CapabilityTables } from '../resolve/resolve-role.ts';
import type { VersionedCapabilities } from './capability-facts.ts';

/** The parts of a role: every version of each atom and role that it is resolved from. */
export function partsOf(
  role: string,
  tables: CapabilityTables,
  { atoms, roles }: VersionedCapabilities,
): (readonly CapabilityFact[])[] {
  const names = sourcesOf(role, tables);
  return [...names.roles.map((it) => roles.get(it) ?? []), ...names.atoms.map((it) => atoms.get(it) ?? [])];
}

/** The digests of the versions in force: what an approval of the role covers. */
export function digestsOf(parts: readonly (readonly CapabilityFact[])[]): CapabilityFact['digest'][] {
  return [...new Set(parts.flatMap((versions) => versions.at(-1)?.digest ?? []))].sort();
}

/**
 * Everyone who wrote a part of a role: of the version in force, and of earlier ones back to the last that enough others
 * approved. Nobody approves their own text, also not in small steps.
 *
 * @param own approvals of this role
 */
export function roleAuthors(
  parts: readonly (readonly CapabilityFact[])[],
  own: readonly FiledConsent[],
  needed: Needed,
): Authors {
  const open = parts.flatMap((versions) => unsettled(versions, own, needed));
  return { names: new Set(open.flatMap(writersOf)), proven: open.every(isProven) };
}

/** The last version of a part, and those before it that too few other people approved. */
function unsettled(versions: readonly CapabilityFact[], own: readonly FiledConsent[], needed: Needed) {
  let open: CapabilityFact[] = [];
  for (const version of versions.slice(0, -1)) {
    open.push(version);
    const writers = new Set(open.flatMap(writersOf).map(canonicalName));
    const covering = own.filter(({ approval }) => approval.sources?.includes(version.digest) === true);
    const others = new Set(covering.flatMap((it) => it.by).filter((admin) => !writers.has(canonicalName(admin))));
    if (others.size > 0 && others.size >= neededFor(needed, open.every(isProven))) open = [];
  }
  return [...open, ...versions.slice(-1)];
}
