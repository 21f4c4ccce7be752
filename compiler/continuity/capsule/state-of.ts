import type { Capsule } from '../schema/capsule.ts';
import { ADEQUATE_STANCE_CHARACTERS } from '../schema/limits.ts';
import { charactersOf } from '../schema/text.ts';
import type { HealthStatus, VerificationStatus } from '../schema/words.ts';

/** The health of a capsule; one without an entry is healthy. */
export function healthOf({ capsule_health }: Capsule): { status: HealthStatus; reasons: string[] } {
  return { status: capsule_health?.status ?? 'healthy', reasons: [...(capsule_health?.reasons ?? [])] };
}

/** Verification state of a capsule. */
export function verificationOf({ verification_state }: Capsule): VerificationStatus {
  return verification_state?.status ?? 'unverified';
}

/** Whether a capsule is enough to resume from: "all P0 fields non-empty and stance_summary ≥ 30 chars". */
export function isAdequate({ continuity }: Pick<Capsule, 'continuity'>): boolean {
  const { open_loops, top_priorities, active_constraints, stance_summary } = continuity;
  const lists = [open_loops, top_priorities, active_constraints];
  return lists.every((it) => it.length > 0) && charactersOf(stance_summary) >= ADEQUATE_STANCE_CHARACTERS;
}
