import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import { EntityUri, Name } from '../uri.ts';

export const APPROVAL_TYPE = 'application/vnd.vademecum.approval+json';

/** What only an administrator may say yes to (DESIGN §7). */
export const ApprovalKind = z.enum(['guarantee_load', 'force_position', 'task_types', 'grant', 'skip_coverage_gate']);

/** The kinds that speak of one unit. */
export const UNIT_KINDS = ['guarantee_load', 'force_position', 'task_types'] as const satisfies ApprovalKind[];

/** A signed yes to one exact content; it lapses when any of it changes. */
export const Approval = z.strictObject({
  deployment: Name,
  garden: Name,
  /** Null where a whole garden is meant. */
  unit: Name.nullable(),
  kind: ApprovalKind,
  /** What exactly is approved: `true`, `prepend`, the wake reasons, the reader's name, the manifest's version. */
  value: z.string().min(1).max(4096),
  /** sha256 of the unit's own text; of all units in force, by source file, where a garden is meant. */
  digest: Digest,
  /** sha256 of the legacy file that stands in for the text (§21.6.1); absent where none does. */
  legacy: Digest.optional(),
  /** sha256 of the canonical delivery metadata; null where a garden is meant. */
  delivery: Digest.nullable(),
  /** sha256 of the source file, by which later versions know what was approved before. */
  source_digest: Digest.nullable(),
  /** What the review found; `force_position` needs one (§21.3.3 S6). */
  note: z.string().max(2000).nullable(),
  expires: Instant.nullable(),
});

/** An approval in use, as a garden's statement names it; the envelope lies in the garden at `file`. */
export const UsedApproval = z.strictObject({
  unit: Name.nullable(),
  kind: ApprovalKind,
  /** Of a grant: the agent that may read the garden. */
  reader: Name.optional(),
  by: z.array(EntityUri).min(1),
  /** Everybody who wrote what is approved, since it was last approved by others. */
  authors: z.array(EntityUri).optional(),
  /** Not every commit that wrote it is signed with a key of the trust root. */
  unproven: z.literal(true).optional(),
  note: z.string().nullable(),
  expires: Instant.nullable(),
  files: z.array(z.string()).min(1),
});

export type Approval = z.infer<typeof Approval>;
export type ApprovalKind = z.infer<typeof ApprovalKind>;
export type UsedApproval = z.infer<typeof UsedApproval>;
