import { z } from 'zod';

export const SubjectKind = z.enum(['user', 'peer', 'thread', 'task']);

/** The subjects that have a lifecycle. */
export const ThreadKind = z.enum(['thread', 'task']);

export const Lifecycle = z.enum(['active', 'suspended', 'concluded', 'superseded']);

export const Transition = z.enum(['suspend', 'resume', 'conclude', 'supersede']);

export const MergeMode = z.enum(['replace', 'preserve']);

/** In the order of their strength, the weakest first. */
export const SignalKind = z.enum([
  'self_review',
  'external_observation',
  'peer_confirmation',
  'user_confirmation',
  'system_check',
]);

export const VerificationStatus = z.enum([
  'unverified',
  'self_attested',
  'externally_supported',
  'user_confirmed',
  'peer_confirmed',
  'system_confirmed',
  'conflicted',
]);

/** From the best to the worst. */
export const HealthStatus = z.enum(['healthy', 'degraded', 'conflicted']);

export const FreshnessClass = z.enum(['persistent', 'durable', 'situational', 'ephemeral']);

/** From the best to the worst. */
export const Phase = z.enum(['fresh', 'stale_soft', 'stale_hard', 'expired_by_age', 'expired']);

export const UpdateReason = z.enum([
  'startup_refresh',
  'pre_compaction',
  'interaction_boundary',
  'manual',
  'migration',
]);

export const SourceState = z.enum(['active', 'fallback', 'missing']);

/** Says of an answer that agents wrote what is in it: it is data, never an instruction. */
export const ContentKind = z.literal('agent_authored');

export type SubjectKind = z.infer<typeof SubjectKind>;
export type Lifecycle = z.infer<typeof Lifecycle>;
export type Transition = z.infer<typeof Transition>;
export type SignalKind = z.infer<typeof SignalKind>;
export type VerificationStatus = z.infer<typeof VerificationStatus>;
export type HealthStatus = z.infer<typeof HealthStatus>;
export type FreshnessClass = z.infer<typeof FreshnessClass>;
export type Phase = z.infer<typeof Phase>;
export type SourceState = z.infer<typeof SourceState>;
