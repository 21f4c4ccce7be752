import { z } from 'zod';
import { CHARACTERS, ITEMS } from './limits.ts';
import { text, texts, UtcTime } from './text.ts';
import { HealthStatus, SignalKind, VerificationStatus } from './words.ts';

export const VerificationState = z.strictObject({
  status: VerificationStatus,
  last_revalidated_at: UtcTime,
  strongest_signal: SignalKind,
  evidence_refs: texts(
    ITEMS['verification_state.evidence_refs'],
    CHARACTERS['verification_state.evidence_refs'],
  ).default([]),
  conflict_summary: text(CHARACTERS['verification_state.conflict_summary']).optional(),
});

export const CapsuleHealth = z.strictObject({
  status: HealthStatus,
  reasons: texts(ITEMS['capsule_health.reasons'], CHARACTERS['capsule_health.reasons']).default([]),
  last_checked_at: UtcTime,
});

/** A signal that supports or contradicts the content of a capsule. */
export const VerificationSignal = z.strictObject({
  kind: SignalKind,
  source_ref: text(CHARACTERS['signals.source_ref'], 1),
  observed_at: UtcTime,
  summary: text(CHARACTERS['signals.summary'], 1),
});

export const VerificationSignals = z.array(VerificationSignal).min(1).max(ITEMS.signals);

export type VerificationState = z.infer<typeof VerificationState>;
export type CapsuleHealth = z.infer<typeof CapsuleHealth>;
export type VerificationSignal = z.infer<typeof VerificationSignal>;
