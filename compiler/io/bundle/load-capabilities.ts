import { join } from 'node:path';
import { MAX_ENVELOPE_BYTES, MAX_FILE_BYTES } from '../../schema/bundle/bundle.ts';
import { CapabilityFacts, resolvedFile, type CapabilityFact } from '../../schema/bundle/capability-garden.ts';
import type { RoleConsent } from '../../schema/capability/binding.ts';
import { ResolvedRole } from '../../schema/capability/resolved-role.ts';
import { VadeError } from '../../schema/errors.ts';
import { refuse } from '../../schema/refusals.ts';
import { CAPABILITIES } from '../../schema/uri.ts';
import { assertRoleApproved, roleDigest } from '../../trust/capability-consent.ts';
import { readCapped, readTree } from '../files/tree.ts';
import { GARDEN_ENVELOPE, gardenFolder, type OpenBundle } from './open-bundle.ts';
import { assertListed, proveCapabilityEnvelope, type ProvenCapabilities } from './prove-root.ts';

/** The atoms and roles of a bundle; every file is as signed. */
export interface ProvenCapabilityGarden extends ProvenCapabilities {
  readonly files: ReadonlyMap<string, Buffer>;
}

/** A role that administrators approved exactly as it is. */
export interface ProvenAuthority {
  readonly resolved: ResolvedRole;
  readonly digest: string;
  /** Empty in a development bundle. */
  readonly approved_by: readonly string[];
  /** The consent with which the gate proves all of this once more. */
  readonly consent: RoleConsent;
}

/** The verified envelope of a bundle's atoms and roles; null if it has none. @throws bundle_unverified */
export function capabilityEnvelope(bundle: OpenBundle): ProvenCapabilities | null {
  const entry = bundle.beside.find((it) => it.kind === 'capability' && it.garden === CAPABILITIES);
  if (!entry) return null;
  const place = join(gardenFolder(bundle.folder, CAPABILITIES, entry.digest), GARDEN_ENVELOPE);
  return proveCapabilityEnvelope(CAPABILITIES, entry.digest, readCapped(place, MAX_ENVELOPE_BYTES), bundle);
}

/** The verified atoms and roles of a bundle; null if it has none. @throws bundle_unverified */
export function readCapabilityGarden(bundle: OpenBundle): ProvenCapabilityGarden | null {
  const proven = capabilityEnvelope(bundle);
  if (!proven) return null;
  const files = readTree(gardenFolder(bundle.folder, proven.name, proven.digest), MAX_FILE_BYTES, GARDEN_ENVELOPE);
  assertListed(proven.statement.subject, files, `garden ${CAPABILITIES}`);
  return { ...proven, files };
}

/** Verifies the approvals of every role of a garden. @throws bundle_unverified: approval_missing */
export function proveRoles(bundle: OpenBundle, garden: ProvenCapabilityGarden): ProvenAuthority[] {
  return garden.statement.predicate.roles.map(({ role }) => proveRole(bundle, role, garden));
}

/** The roles of a garden, and whether they may be started. */
export function rolesIn({ statement, files }: ProvenCapabilityGarden): Map<string, boolean> {
  const isSpawnable = (role: string) => {
    const bytes = files.get(resolvedFile(role));
    return bytes !== undefined && ResolvedRole.parse(JSON.parse(bytes.toString('utf8'))).spawnable;
  };
  return new Map(statement.predicate.roles.map(({ role }) => [role, isSpawnable(role)]));
}

/**
 * One role, after proving from the bundle alone that administrators approved exactly this state of it. Whoever starts
 * an agent or decides its tool calls asks here, and not the sources.
 *
 * @throws bundle_unverified, fact_not_found
 */
export function proveRole(bundle: OpenBundle, name: string, known?: ProvenCapabilityGarden): ProvenAuthority {
  const garden = known ?? readCapabilityGarden(bundle);
  const named = garden?.statement.predicate.roles.find((it) => it.role === name);
  const bytes = garden?.files.get(resolvedFile(name));
  if (!garden || !named || !bytes) throw new VadeError('fact_not_found', `the bundle has no role ${name}`);
  const resolved = ResolvedRole.parse(JSON.parse(bytes.toString('utf8')));
  const digest = roleDigest(resolved);
  if (resolved.role !== name || digest !== named.digest) {
    throw refuse('digest_mismatch', `role ${name} is not the one that the statement names`);
  }
  const { deployment, approvals: used } = garden.statement.predicate;
  const facts = partsIn(garden, resolved);
  const { by: approved_by, consent } = assertRoleApproved(
    { deployment, used, facts, files: garden.files },
    resolved,
    bundle.trust,
    bundle.now,
  );
  return { resolved, digest, approved_by, consent };
}

/** The facts in force that a role is made of. @throws bundle_unverified, if one of them is not there */
function partsIn(garden: ProvenCapabilityGarden, { role, extends: farther, fragments }: ResolvedRole) {
  const roles = inForce(garden, 'roles.json');
  const atoms = inForce(garden, 'atoms.json');
  return [
    ...[role, ...farther].map((name) => must(roles.get(name), name)),
    ...fragments.map(({ atom, text }) => {
      const fact = must(atoms.get(atom), atom);
      if (fact.text !== text) throw refuse('digest_mismatch', `role ${role} has another text of ${atom}`);
      return fact;
    }),
  ];
}

function inForce({ files }: ProvenCapabilityGarden, path: string): Map<string, CapabilityFact> {
  const bytes = files.get(path);
  if (!bytes) throw refuse('file_missing', `garden ${CAPABILITIES} has no ${path}`);
  const { facts } = CapabilityFacts.parse(JSON.parse(bytes.toString('utf8')));
  return new Map(facts.filter((it) => it.valid_until === null).map((it) => [it.name, it]));
}

function must(fact: CapabilityFact | undefined, name: string): CapabilityFact {
  if (!fact) throw refuse('file_missing', `garden ${CAPABILITIES} has no version of ${name} in force`);
  return fact;
}
