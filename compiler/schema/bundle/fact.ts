import { z } from 'zod';
import { Digest, Instant, oneLine } from '../primitives.ts';
import { Delivery } from '../source/unit.ts';
import { EntityUri } from '../uri.ts';
import { QuarantineReason } from './quarantine.ts';
import { MAX_SKILL_DESCRIPTION, Skill } from './skill.ts';

/** One immutable version of a unit (§21.4.2), with its provenance (§21.4.3). */
export const FactVersion = z.strictObject({
  uri: z.string(),
  name: z.string(),
  version: z.int().positive(),
  /** The text an agent reads; `digest` is the sha256 of its UTF-8 bytes. */
  content: z.string(),
  digest: Digest,
  /** sha256 of the whole source file after NFC, LF and removal of a BOM. */
  source_digest: Digest,
  created_at: Instant,
  valid_until: Instant.nullable(),
  authored_by: z.string(),
  /** Co-authors, as the commit message names them. */
  coauthored_by: z.array(z.string()).optional(),
  authored_at: Instant,
  /** ≥ 0.9 only for a verified human administrator; `verified`: a signature or an approval confirms it. */
  source_trust: z.number().min(0).max(1),
  verified: z.boolean(),
  /** Fingerprint of the key that signed the commit, if the trust root knows the key. */
  signed_by: z.string().optional(),
  /** Administrators who approved exactly this text. */
  approved_by: z.array(EntityUri).optional(),
  /** Why the text was removed; its digest stays, so that the version cannot return with another text. */
  withheld: QuarantineReason.optional(),
  derived_from: Digest.nullable(),
  commit: z.string(),
  file: z.string(),
});

/** A legacy file that replaces a fact (§21.6.1); the garden contains its bytes below `files/`. */
export const Fallback = z.strictObject({
  path: z.string(),
  digest: Digest,
  tokens: z.int().nonnegative(),
});

/** The current version of a unit, with its delivery metadata. */
export const Fact = FactVersion.extend({
  tokens: z.int().nonnegative(),
  /** The description of a skill may be longer than that of other units. */
  delivery: Delivery.extend({ description: oneLine(MAX_SKILL_DESCRIPTION).min(1) }),
  fallback: Fallback.nullable(),
  /** Absent for a unit of the handbook. */
  skill: Skill.optional(),
});

export type FactVersion = z.infer<typeof FactVersion>;
export type Fallback = z.infer<typeof Fallback>;
export type Fact = z.infer<typeof Fact>;

/** sha256 of the text that agents get: of the legacy file, where the fact has no text (§21.6.1). */
export function servedDigest({ content, digest, fallback }: Pick<Fact, 'content' | 'digest' | 'fallback'>): string {
  return content === '' && fallback !== null ? fallback.digest : digest;
}
