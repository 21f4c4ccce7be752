import { z } from 'zod';
import { NegativeDecision, RationaleEntry, StablePreference } from './entries.ts';
import { TrustSignals } from './trust-signals.ts';
import { RecoveryWarning } from './warnings.ts';
import { HealthStatus, SourceState } from './words.ts';

/** The summary that an agent needs first after a reset. The order of keys is part of the contract. */
export const StartupSummary = z.strictObject({
  recovery: z.strictObject({
    source_state: SourceState,
    recovery_warnings: z.array(RecoveryWarning),
    capsule_health_status: HealthStatus.nullable(),
    capsule_health_reasons: z.array(z.string()),
  }),
  orientation: z
    .strictObject({
      top_priorities: z.array(z.string()),
      active_constraints: z.array(z.string()),
      open_loops: z.array(z.string()),
      negative_decisions: z.array(NegativeDecision),
      rationale_entries: z.array(RationaleEntry),
    })
    .nullable(),
  context: z
    .strictObject({
      session_trajectory: z.array(z.string()),
      stance_summary: z.string(),
      active_concerns: z.array(z.string()),
    })
    .nullable(),
  updated_at: z.string().nullable(),
  trust_signals: TrustSignals.nullable(),
  stable_preferences: z.array(StablePreference).nullable(),
});

export type StartupSummary = z.infer<typeof StartupSummary>;
