import type { AuditedAnswer } from '../../../compiler/schema/audit/answered.ts';
import type { AuditDay, AuditSums, DaysQuery, SumsQuery } from '../../../compiler/schema/audit/sums.ts';

/** Aggregates in the database, so that the size of a result does not grow with the number of rows. */
export interface SumsReader {
  /**
   * Days with recalls or heartbeats, the newest first, from indexes only. Here and in `sums`: aborting `signal` stops
   * the query itself, and the promise is rejected once it has stopped.
   */
  readonly days: (query: DaysQuery, signal?: AbortSignal) => Promise<readonly AuditDay[]>;
  /** The sums of each agent with rows in the window. */
  readonly sums: (query: SumsQuery, signal?: AbortSignal) => Promise<readonly AuditSums[]>;
  /** The recalls and heartbeats with these values of `seq`, in no order; dropped ones are missing. */
  readonly answersAt: (places: readonly number[]) => Promise<readonly AuditedAnswer[]>;
}
