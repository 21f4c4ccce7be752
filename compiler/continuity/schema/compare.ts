import { z } from 'zod';
import { CandidateCapsule } from './draft.ts';
import { CHARACTERS } from './limits.ts';
import { text } from './text.ts';
import { SUBJECT, WRITTEN } from './upsert.ts';
import { CapsuleHealth, VerificationSignals, VerificationState } from './verification.ts';
import { ContentKind, SignalKind } from './words.ts';

export const CompareRequest = z.strictObject({
  ...SUBJECT,
  candidate_capsule: CandidateCapsule,
  signals: VerificationSignals,
});

export const VerificationOutcome = z.enum(['confirm', 'correct', 'degrade', 'conflict']);

export const CompareAnswer = z.strictObject({
  ok: z.literal(true),
  path: z.string(),
  identical: z.boolean(),
  /** Dotted paths, in the order of the capsule's fields; a list is one field. */
  changed_fields: z.array(z.string()),
  strongest_signal: SignalKind,
  recommended_outcome: VerificationOutcome,
  content_kind: ContentKind,
});

export const RevalidateRequest = z
  .strictObject({
    ...SUBJECT,
    outcome: VerificationOutcome,
    signals: VerificationSignals,
    /** Required for outcome `correct`, not allowed otherwise. */
    candidate_capsule: CandidateCapsule.nullish(),
    reason: text(CHARACTERS['revalidate.reason'], 1).nullish(),
  })
  .refine(({ outcome, candidate_capsule }) => (outcome === 'correct') === ((candidate_capsule ?? null) !== null), {
    path: ['candidate_capsule'],
    message: 'required for outcome correct, not allowed otherwise',
  });

export const RevalidateAnswer = z.strictObject({
  ...WRITTEN,
  outcome: VerificationOutcome,
  updated: z.boolean(),
  capsule_sha256: z.string(),
  verification_state: VerificationState,
  capsule_health: CapsuleHealth,
  content_kind: ContentKind,
});

export type CompareRequest = z.infer<typeof CompareRequest>;
export type CompareAnswer = z.infer<typeof CompareAnswer>;
export type VerificationOutcome = z.infer<typeof VerificationOutcome>;
export type RevalidateRequest = z.infer<typeof RevalidateRequest>;
export type RevalidateAnswer = z.infer<typeof RevalidateAnswer>;
