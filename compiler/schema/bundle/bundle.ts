import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import { Name } from '../uri.ts';
import type { CapabilityGarden } from './capability-garden.ts';
import { statementOf, type Garden } from './garden.ts';

export const ROOT_PREDICATE = 'urn:vademecum:predicate:root:1';

/** Limits for reading a bundle, whatever sizes a statement claims. */
export const MAX_ENVELOPE_BYTES = 16 * 1024 * 1024;
export const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Limit of a garden's files together: a download is in memory until it is verified. */
export const MAX_GARDEN_BYTES = 1024 ** 3;
/** Limit of the signatures of one envelope. */
export const MAX_SIGNATURES = 64;

/** Number of roots that stay on disk: the current one and those before it. */
export const KEPT_ROOTS = 3;

/** How many earlier manifests of a garden are kept besides those of the kept roots, and how many bytes with proofs. */
export const KEPT_MANIFESTS = 100;
export const KEPT_MANIFEST_BYTES = 4 * 1024 * 1024;

/** Kinds of gardens besides those that recall answers from. */
export const KINDS = ['capability'] as const;

/** One garden, as the root names it. */
export const RootEntry = z.strictObject({
  /** Absent for a garden that recall answers from. */
  kind: z.enum(KINDS).optional(),
  /** Whether a reader that does not know the kind must refuse the bundle; only with a kind. */
  critical: z.boolean().optional(),
  garden: z.string(),
  /** Null for the shared garden. */
  agent_id: z.string().nullable(),
  digest: Digest,
  /** Number of its facts that are quarantined (DESIGN §7). */
  held: z.int().nonnegative(),
  /** The deadline for certifying its coverage; null if it is certified. */
  recertify_by: Instant.nullable(),
  /**
   * Agents with a grant for the garden (§21.4.4); absent if there are none. Only a hint of whom to ask the
   * garden's approvals for, so that nothing is read for anybody else.
   */
  readers: z.array(Name).min(1).optional(),
  /** sha256 of all inputs: the compiler builds the garden again only if it changes. */
  inputs: Digest,
});

/** Everything compiled from one commit. */
export const RootPredicate = z.strictObject({
  deployment: z.string(),
  /** Place on the first-parent chain of `commit`, the last that touches the sources: it never goes down. */
  serial: z.int().positive(),
  commit: z.string(),
  committed_at: Instant,
  compiler: z.string(),
  /** True for a working tree, whose last step is not a commit: only a development root accepts it. Absent otherwise. */
  unversioned: z.literal(true).optional(),
  gardens: z.array(RootEntry),
});

/** A garden of a kind that this version does not know; nothing of it is read but this. */
const ForeignEntry = z.looseObject({
  garden: z.string(),
  kind: z.string().refine((kind) => !(KINDS as readonly string[]).includes(kind)),
  critical: z.boolean(),
});

/** A root as it is written: every garden is of a known kind. */
export const RootStatement = statementOf(ROOT_PREDICATE, RootPredicate);

/** A root as it is read: a later version may have added gardens of other kinds. */
export const ReadRootStatement = RootStatement.extend({
  predicate: RootPredicate.extend({ gardens: z.array(z.union([RootEntry, ForeignEntry])) }),
});

export type ReadRootStatement = z.infer<typeof ReadRootStatement>;
export type RootEntry = z.infer<typeof RootEntry>;
export type RootPredicate = z.infer<typeof RootPredicate>;
export type RootStatement = z.infer<typeof RootStatement>;

/** A compiled bundle before it is written: the signed root, the files beside it, and the gardens. */
export interface Bundle {
  /** `<serial>-<digest>`, the line of `current` and the `X-Bundle-Revision` of every answer. */
  readonly revision: string;
  readonly statement: RootStatement;
  /** `root.dsse.json`, `org.json`, `trust/<n>.json`; `withdrawn.json` if any fact was withdrawn. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Gardens to write. */
  readonly built: readonly Garden[];
  /** The atoms and roles, which recall does not read; absent for a handbook that has none. */
  readonly capabilities?: CapabilityGarden;
  /** Gardens whose bytes are in an earlier bundle. */
  readonly kept: readonly RootEntry[];
}
