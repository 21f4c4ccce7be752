import { z } from 'zod';
import { HealthStatus, VerificationStatus } from './words.ts';

/** The capsule inside is judged on its own: it may be older than the envelope. */
const capsule = z.record(z.string(), z.unknown());

/** `fallback/…`: the capsule as it was last written, in case that the active file is lost or damaged. */
export const FallbackSnapshot = z.object({
  schema_type: z.literal('continuity_fallback_snapshot'),
  schema_version: z.literal('1.0'),
  captured_at: z.string(),
  source_path: z.string(),
  verification_status: VerificationStatus,
  health_status: HealthStatus,
  capsule,
});

/** `archive/…`: a capsule that was taken out of use. */
export const ArchiveEnvelope = z.object({
  schema_type: z.literal('continuity_archive_envelope'),
  schema_version: z.literal('1.0'),
  archived_at: z.string(),
  archived_by: z.string(),
  reason: z.string(),
  active_path: z.string(),
  capsule,
});

export type FallbackSnapshot = z.infer<typeof FallbackSnapshot>;
export type ArchiveEnvelope = z.infer<typeof ArchiveEnvelope>;
