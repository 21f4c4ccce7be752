import { z } from 'zod';
import { EntityUri, Name } from './uri.ts';
import { Digest, Instant } from './fact.ts';

/** Keys that must sign for one purpose, and how many of them. */
export const Role = z.strictObject({
  keyids: z.array(Digest).min(1).max(32),
  threshold: z.int().min(1).max(32),
});

/** An Ed25519 public key as PEM; its id is the sha256 of its DER (SubjectPublicKeyInfo). */
export const TrustKey = z.strictObject({
  public: z.string().max(1024),
  owner: EntityUri.optional(),
});

/** A key that people sign commits with (DESIGN §7), as git knows it: an SSH public key line, or armored OpenPGP. */
export const CommitKey = z.strictObject({
  kind: z.enum(['ssh', 'openpgp']),
  public: z.string().max(16_384),
  owner: EntityUri,
  /** Commits after this are no longer vouched for by it. */
  expires: Instant.nullable().default(null),
});

/** Who may sign what in a deployment (DESIGN §7): `trust/<n>.json` is this, in a DSSE envelope. */
export const TrustRoot = z
  .strictObject({
    version: z.int().positive(),
    deployment: Name,
    /** Made by `--dev`: accepted for any deployment, by nothing that was not itself started with `--dev`. */
    development: z.literal(true).optional(),
    expires: Instant.nullable(),
    keys: z.record(Digest, TrustKey),
    admins: z.array(EntityUri).max(256).default([]),
    commit_keys: z.array(CommitKey).max(1024).default([]),
    roles: z.strictObject({ root: Role, bundle: Role }),
  })
  .refine(
    (root) => Object.values(root.roles).every((role) => role.keyids.every((id) => id in root.keys)),
    'a role names a key that the root does not carry',
  );

export type CommitKey = z.infer<typeof CommitKey>;
export type Role = z.infer<typeof Role>;
export type TrustRoot = z.infer<typeof TrustRoot>;

export const TRUST_ROOT_TYPE = 'application/vnd.vademecum.trust-root+json';
