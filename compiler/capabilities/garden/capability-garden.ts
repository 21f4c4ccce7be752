import type { RootEntry } from '../../schema/bundle/bundle.ts';
import { resolvedFile, type CapabilityFact, type CapabilityGarden } from '../../schema/bundle/capability-garden.ts';
import type { Diagnostic } from '../../schema/diagnostics.ts';
import { instant } from '../../schema/primitives.ts';
import type { Commit } from '../../schema/source/sources.ts';
import { CAPABILITIES } from '../../schema/uri.ts';
import { hasCapabilities } from '../../sources/place-capability.ts';
import { attestCapabilities } from '../../trust/attest.ts';
import { byText, canonicalBytes, canonicalJson, sha256 } from '../../trust/canonical.ts';
import { roleDigest } from '../../trust/capability-consent.ts';
import { lintCapabilities } from '../lint/lint-capabilities.ts';
import { readCapabilities, type Capabilities } from '../read-capabilities.ts';
import { resolveRole } from '../resolve/resolve-role.ts';
import { approveRoles, type ResolvedSource } from './approve-roles.ts';
import type { CapabilityContext } from './capability-context.ts';
import { versionCapabilities, type VersionedCapabilities } from './capability-facts.ts';

/** The garden of atoms and roles; null for a handbook that has none. */
export type BuiltCapabilities = { readonly faults: readonly Diagnostic[] } & (
  | { readonly garden: CapabilityGarden; readonly entry: RootEntry }
  | { readonly garden: null; readonly entry: null }
);

/** Increase it if the same sources give other bytes under the same compiler version. */
const FORMAT = 1;

/** Parses, checks, versions and approves atoms and roles, resolves each role once, and attests all of it. */
export function buildCapabilities(context: CapabilityContext): BuiltCapabilities {
  const { site, sources, org, read } = context;
  if (!hasCapabilities(site)) return { garden: null, entry: null, faults: [] };
  const { capabilities, faults } = readCapabilities(site, sources.folder, read);
  const checked = lintCapabilities(capabilities);
  const roles = resolveAll(capabilities);
  const history = { ...context, folder: sources.folder, deployment: org.deployment };
  const versions = versionCapabilities(site, history);
  const approved = approveRoles(context, roles, capabilities, versions);
  const garden = attest(context, roles, versions, approved);
  const entry: RootEntry = {
    kind: 'capability',
    // recall does not depend on it: a reader that does not know the kind may serve the other gardens
    critical: false,
    garden: garden.name,
    agent_id: null,
    digest: garden.digest,
    held: 0,
    recertify_by: null,
    inputs: sha256(canonicalJson([FORMAT, garden.statement.subject, garden.statement.predicate])),
  };
  return { garden, entry, faults: [...faults, ...checked, ...approved.faults] };
}

function resolveAll(capabilities: Capabilities): ResolvedSource[] {
  return [...capabilities.roles.values()].flatMap(({ name, file }) => {
    const { resolved } = resolveRole(name, capabilities);
    return resolved ? [{ resolved, file }] : [];
  });
}

function attest(
  context: CapabilityContext,
  roles: readonly ResolvedSource[],
  { atoms, roles: roleVersions }: VersionedCapabilities,
  approved: ReturnType<typeof approveRoles>,
): CapabilityGarden {
  const facts = [...atoms.values(), ...roleVersions.values()].flat();
  const files = new Map([
    ['atoms.json', factsFile(atoms)],
    ['roles.json', factsFile(roleVersions)],
    ...roles.map(({ resolved }) => [resolvedFile(resolved.role), canonicalBytes(resolved)] as const),
    ...approved.files,
  ]);
  const predicate = {
    ...headOf(context),
    deployment: context.org.deployment,
    garden: CAPABILITIES,
    kind: 'capability' as const,
    compiler: context.compiler,
    roles: roles
      .map(({ resolved }) => ({ role: resolved.role, digest: roleDigest(resolved), spawnable: resolved.spawnable }))
      .sort((a, b) => byText(a.role, b.role)),
    approvals: [...approved.used],
  };
  return attestCapabilities(predicate, new Map(facts.map((it) => [it.uri, it.digest])), files, context.signers);
}

function factsFile(versions: ReadonlyMap<string, readonly CapabilityFact[]>): Buffer {
  return canonicalBytes({ format: 1, facts: [...versions.values()].flat() });
}

/** The last commit that touches an atom or a role. */
function headOf({ commits, sources, places }: CapabilityContext) {
  const own = [`${sources.folder}/capabilities/`, `${sources.folder}/roles/`];
  const touches = ({ changes }: Commit) => changes.some(({ path }) => own.some((it) => path.startsWith(it)));
  const last = commits.filter(touches).at(-1);
  return {
    serial: places.get(last?.id ?? '') ?? 1,
    commit: last?.id ?? '',
    committed_at: instant(last?.committed ?? 0),
  };
}
