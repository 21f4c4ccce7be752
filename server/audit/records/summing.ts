import type { AuditedAnswer } from '../../../compiler/schema/audit/answered.ts';
import type { AuditDay, AuditSums, DaysQuery, SumsQuery } from '../../../compiler/schema/audit/sums.ts';

/** Added up by the database itself: what comes out does not grow with the audit's rows. */
export interface Summing {
  /**
   * Days that have recalls or heartbeats, the newest first; no entry is read. Here and in `sums`: once `signal` is
   * aborted the work itself stops, and the promise is rejected when it has.
   */
  readonly days: (query: DaysQuery, signal?: AbortSignal) => Promise<readonly AuditDay[]>;
  /** Of the agents that have anything in that stretch. */
  readonly sums: (query: SumsQuery, signal?: AbortSignal) => Promise<readonly AuditSums[]>;
  /** Recalls and heartbeats at these places, in no order; those that were dropped are not among them. */
  readonly answersAt: (places: readonly number[]) => Promise<readonly AuditedAnswer[]>;
}
