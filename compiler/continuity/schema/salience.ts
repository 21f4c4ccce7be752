import { z } from 'zod';

/** The ranks of a capsule, as people read them: what sorts backwards is not inverted here. */
export const SalienceKey = z.strictObject({
  /** 0 active to 3 superseded; 4 without a lifecycle. */
  lifecycle_rank: z.int().min(0).max(4),
  /** 0 healthy to 2 conflicted. */
  health_rank: z.int().min(0).max(2),
  /** 0 fresh to 4 expired. */
  freshness_rank: z.int().min(0).max(4),
  resume_adequate: z.boolean(),
  /** 0 self_review, or nothing, to 4 system_check. */
  verification_rank: z.int().min(0).max(4),
  /** Null if it cannot be told; that sorts last. */
  updated_age_seconds: z.int().nonnegative().nullable(),
});

/** Why a capsule stands where it stands; rank 0 is the most salient. */
export const Salience = z.strictObject({ rank: z.int().nonnegative(), sort_key: SalienceKey });

export const SalienceMetadata = z.strictObject({
  sort_applied: z.literal(true),
  capsule_count: z.int(),
  best_lifecycle_rank: z.int(),
  worst_health_rank: z.int(),
  worst_freshness_rank: z.int(),
  all_resume_adequate: z.boolean(),
});

export type SalienceKey = z.infer<typeof SalienceKey>;
export type Salience = z.infer<typeof Salience>;
export type SalienceMetadata = z.infer<typeof SalienceMetadata>;
