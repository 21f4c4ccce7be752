import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import { Agent } from '../source/agent.ts';
import { UsedApproval } from '../source/approval.ts';
import { ModelPin } from '../source/org.ts';
import { FactVersion } from './fact.ts';

export const IN_TOTO_TYPE = 'application/vnd.in-toto+json';
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const GARDEN_PREDICATE = 'urn:vademecum:predicate:garden:1';

/** A subject of a statement: a fact by its URI, or a file by its path, with its sha256. */
export const Subject = z.strictObject({
  name: z.string(),
  digest: z.strictObject({ sha256: Digest }),
  /** Files carry their size in bytes, so that a reader can refuse before it reads. */
  annotations: z.strictObject({ size: z.int().nonnegative() }).optional(),
});

/** An in-toto statement with one kind of predicate. */
export function statementOf<Type extends string, Predicate extends z.ZodType>(type: Type, predicate: Predicate) {
  return z.strictObject({
    _type: z.literal(STATEMENT_TYPE),
    subject: z.array(Subject),
    predicateType: z.literal(type),
    predicate,
  });
}

/**
 * The provenance of a manifest's version, with the members that facts have (§21.4.3). `source_digest` covers every
 * change to the paths that the version counts; `derived_from` is the `source_digest` of the previous version.
 */
export const ManifestProvenance = FactVersion.pick({
  source_digest: true,
  created_at: true,
  authored_by: true,
  coauthored_by: true,
  authored_at: true,
  source_trust: true,
  verified: true,
  signed_by: true,
  derived_from: true,
  commit: true,
});

/** The statement about one compiled garden (DESIGN §7); `agent` is null for the shared garden. */
export const GardenPredicate = z.strictObject({
  deployment: z.string(),
  garden: z.string(),
  garden_id: z.string(),
  agent: Agent.nullable(),
  /** Place of `commit` on the first-parent chain; it is the last commit that touches a source of this garden. */
  serial: z.int().positive(),
  commit: z.string(),
  committed_at: Instant,
  compiler: z.string(),
  model: ModelPin.nullable(),
  signals: z.array(z.enum(['lexical', 'semantic', 'graph'])),
  /** Digest of the shared garden that recall searches together with it. */
  shared: Digest.nullable(),
  manifest_version: z.string().nullable(),
  /** Provenance of that manifest version; a garden without a manifest has none. */
  manifest: ManifestProvenance.optional(),
  stubs: z.array(z.strictObject({ profile: z.string(), token_count: z.int() })),
  /** Legacy files whose bytes the garden contains. */
  paths: z.array(z.string()),
  approvals: z.array(UsedApproval),
  /** Number of quarantined facts; `quarantine.json` names them with reasons. */
  held: z.int().nonnegative(),
  /** If the coverage gate was bypassed: the deadline for passing it (§21.8.3 S10). */
  recertify_by: Instant.nullable(),
});

export const GardenStatement = statementOf(GARDEN_PREDICATE, GardenPredicate);

export type ManifestProvenance = z.infer<typeof ManifestProvenance>;
export type Subject = z.infer<typeof Subject>;
export type GardenPredicate = z.infer<typeof GardenPredicate>;
export type GardenStatement = z.infer<typeof GardenStatement>;

/** A garden ready to be written: its signed statement, and every file by its path inside the garden. */
export interface Garden<S = GardenStatement> {
  readonly name: string;
  readonly digest: string;
  readonly envelope: Buffer;
  readonly statement: S;
  readonly files: ReadonlyMap<string, Buffer>;
}
