import { z } from 'zod';
import { AtomName, RoleName } from '../capability/atom-name.ts';
import { Digest, Instant } from '../primitives.ts';
import { UsedApproval } from '../source/approval.ts';
import { FactVersion } from './fact.ts';
import { statementOf, type Garden } from './garden.ts';

export const CAPABILITY_PREDICATE = 'urn:vademecum:predicate:capability:1';

/** One version of an atom or of a role, with its provenance; `valid_until` is null for the one in force. */
export const CapabilityFact = FactVersion.pick({
  uri: true,
  version: true,
  digest: true,
  created_at: true,
  valid_until: true,
  authored_by: true,
  coauthored_by: true,
  authored_at: true,
  source_trust: true,
  verified: true,
  signed_by: true,
  derived_from: true,
  commit: true,
}).extend({
  name: z.union([AtomName, RoleName]),
  /** The TOML of the declaration. */
  declaration: z.string(),
  /** The text of an atom; null for a role. */
  text: z.string().nullable(),
  file: z.string(),
});

/** `atoms.json`, `roles.json`: every version of each, the one in force last. */
export const CapabilityFacts = z.strictObject({ format: z.literal(1), facts: z.array(CapabilityFact) });

/** A role in force, and the digest of what it resolves to. */
const NamedRole = z.strictObject({ role: RoleName, digest: Digest, spawnable: z.boolean() });

/** The statement about the atoms and roles of a deployment. */
export const CapabilityPredicate = z.strictObject({
  deployment: z.string(),
  garden: z.string(),
  kind: z.literal('capability'),
  serial: z.int().positive(),
  commit: z.string(),
  committed_at: Instant,
  compiler: z.string(),
  roles: z.array(NamedRole),
  approvals: z.array(UsedApproval),
});

export const CapabilityStatement = statementOf(CAPABILITY_PREDICATE, CapabilityPredicate);

export type CapabilityFact = z.infer<typeof CapabilityFact>;
export type CapabilityPredicate = z.infer<typeof CapabilityPredicate>;
export type CapabilityStatement = z.infer<typeof CapabilityStatement>;

/** The garden of atoms and roles, ready to be written. */
export type CapabilityGarden = Garden<CapabilityStatement>;

/** The file of a resolved role in the garden. */
export function resolvedFile(role: string): string {
  return `resolved/${role}.json`;
}
