import type { Capsule } from '../schema/capsule.ts';
import type { ReadAnswer } from '../schema/reading/read.ts';
import type { StartupSummary } from '../schema/startup-summary.ts';

/** Makes the startup view of a reading. */
export type Summarise = (answer: ReadAnswer) => StartupSummary;

/**
 * The startup view: fields of the capsule that was read, in a fixed order, unchanged. Only active rationale entries are
 * in it. Of a missing capsule only `recovery` is there.
 */
export function startupSummary({
  capsule,
  source_state,
  recovery_warnings,
  trust_signals,
}: ReadAnswer): StartupSummary {
  return {
    recovery: {
      source_state,
      recovery_warnings: [...recovery_warnings],
      capsule_health_status: capsule?.capsule_health?.status ?? null,
      capsule_health_reasons: [...(capsule?.capsule_health?.reasons ?? [])],
    },
    orientation: capsule && orientationOf(capsule),
    context: capsule && contextOf(capsule),
    updated_at: capsule?.updated_at ?? null,
    trust_signals,
    stable_preferences: capsule?.stable_preferences ?? null,
  };
}

function orientationOf({ continuity }: Capsule): NonNullable<StartupSummary['orientation']> {
  return {
    top_priorities: continuity.top_priorities,
    active_constraints: continuity.active_constraints,
    open_loops: continuity.open_loops,
    negative_decisions: continuity.negative_decisions,
    rationale_entries: continuity.rationale_entries.filter((it) => it.status === 'active'),
  };
}

function contextOf({ continuity }: Capsule): NonNullable<StartupSummary['context']> {
  return {
    session_trajectory: continuity.session_trajectory,
    stance_summary: continuity.stance_summary,
    active_concerns: continuity.active_concerns,
  };
}
