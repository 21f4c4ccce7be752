import { z } from 'zod';
import { canonicalName, canonicalNames, confusable } from '../identity.ts';
import { Digest, Instant } from '../primitives.ts';
import { EntityUri, Name } from '../uri.ts';
import { ControlPlane } from './control-plane.ts';

/** Keys that must sign for one purpose, and how many of them. */
export const SignerThreshold = z.strictObject({
  keyids: z.array(Digest).min(1).max(32),
  threshold: z.int().min(1).max(32),
});

/** An Ed25519 public key as PEM; its id is the sha256 of its DER (SubjectPublicKeyInfo). */
const TrustKey = z.strictObject({
  public: z.string().max(1024),
  owner: EntityUri.optional(),
  /** After this time its signatures no longer count, except on trust roots that were accepted before. */
  expires: Instant.optional(),
});

/** Number of administrators who have to sign; each counts once, even with several keys. */
const Thresholds = z.strictObject({
  approval: z.int().min(1).max(32).default(1),
  withdrawal: z.int().min(1).max(32).default(1),
  rollback: z.int().min(1).max(32).default(1),
  /** Number of administrators who have to approve a text if none of the `commit_keys` signed one of its commits. */
  unproven_authors: z.int().min(1).max(32).optional(),
});

/** A committer as git writes it. */
const Committer = z
  .string()
  .max(256)
  .regex(/^[^<>\n]*[^<>\s] <[^<>\s]+>$/, 'write it as git does, such as GitHub <noreply@github.com>');

/** A key that signs commits (DESIGN §7), in git's format: an SSH public key line, or armored OpenPGP. */
export const CommitKey = z.strictObject({
  kind: z.enum(['ssh', 'openpgp']),
  public: z.string().max(16_384),
  owner: EntityUri,
  /** The key does not verify commits after this time. */
  expires: Instant.nullable().default(null),
});

/** Agents that may read the gardens of others (§21.4.5): by a supervisor's short name, those of its direct reports. */
const Supervisors = z
  .record(Name, z.array(Name).min(1).max(1024))
  .refine(
    (all) => Object.entries(all).every(([name, reports]) => !reports.includes(name)),
    'an agent cannot be its own supervisor',
  );

/** The names of a forge: its name, and its address before the @. */
function namesOfForge(forge: string): string[] {
  const [, name = '', mailbox = ''] = /^(.*) <([^@>]*)/.exec(forge) ?? [];
  return [name, mailbox];
}

/** All identities in a root. */
function identitiesOf({ admins, keys, commit_keys }: Identified): Set<string> {
  const owners = [...Object.values(keys), ...commit_keys].flatMap(({ owner }) => owner ?? []);
  return new Set([...admins, ...owners]);
}

interface Identified {
  readonly admins: readonly string[];
  readonly keys: Readonly<Record<string, { readonly owner?: string | undefined }>>;
  readonly commit_keys: readonly { readonly owner: string }[];
}

const rolesOf = ({ roles }: { roles: Readonly<Record<string, SignerThreshold | undefined>> }) =>
  Object.values(roles).filter((role) => role !== undefined);

/** Who may sign what in a deployment (DESIGN §7): `trust/<n>.json` is this, in a DSSE envelope. */
export const TrustRoot = z
  .strictObject({
    version: z.int().positive(),
    deployment: Name,
    /** Created by `--dev`: valid for any deployment, but only for programs that were started with `--dev`. */
    development: z.literal(true).optional(),
    /** Not valid before this time; null for no limit. */
    valid_from: Instant.nullable().default(null),
    expires: Instant.nullable(),
    keys: z.record(Digest, TrustKey),
    admins: z.array(EntityUri).max(256).default([]),
    commit_keys: z.array(CommitKey).max(1024).default([]),
    /** Forges that commit on behalf of people, such as `GitHub <noreply@github.com>`; ignored as committers. */
    forges: z.array(Committer).max(32).optional(),
    roles: z.strictObject({ root: SignerThreshold, bundle: SignerThreshold, freshness: SignerThreshold.optional() }),
    thresholds: Thresholds.default({ approval: 1, withdrawal: 1, rollback: 1 }),
    supervisors: Supervisors.optional(),
    /** The control plane, whose tokens verify heartbeats (§21.1.5 S1); without it every wake reason is unverified. */
    control_plane: ControlPlane.optional(),
  })
  .refine(
    (root) => rolesOf(root).every((role) => role.keyids.every((id) => Object.hasOwn(root.keys, id))),
    'a role names a key that the root does not contain',
  )
  .refine(
    (root) => rolesOf(root).every((role) => new Set(role.keyids).size >= role.threshold),
    'a threshold requires more keys than its role names',
  )
  .superRefine((root, context) => {
    for (const [one, other] of confusable(identitiesOf(root))) {
      const message = `${one} and ${other} have the same canonical name: names are compared by letters and digits only`;
      context.addIssue({ code: 'custom', path: ['admins'], message });
    }
    const people = canonicalNames(identitiesOf(root));
    for (const forge of root.forges ?? []) {
      if (!namesOfForge(forge).some((name) => people.has(canonicalName(name)))) continue;
      context.addIssue({
        code: 'custom',
        path: ['forges'],
        message: `${forge} has the same name as a person in the root`,
      });
    }
  });

export type CommitKey = z.infer<typeof CommitKey>;
export type SignerThreshold = z.infer<typeof SignerThreshold>;
export type TrustRoot = z.infer<typeof TrustRoot>;

export const TRUST_ROOT_TYPE = 'application/vnd.vademecum.trust-root+json';
