import type { Closing } from '../schema/audit/record.ts';

/** An agent's report on one answer. */
type ClosingReport = Pick<Closing, 'nothing_fits'> & {
  readonly used_chunks: readonly string[];
  readonly missed_chunks: readonly string[];
};

/** Number of units that an agent missed; an answer in which nothing fitted counts as one unit without a name. */
export function missedIn({ missed_chunks, nothing_fits }: ClosingReport): number {
  return Math.max(missed_chunks.length, nothing_fits ? 1 : 0);
}

/** Whether an agent reported anything; an empty report does not count. */
export function hasReport({ closing }: { readonly closing: ClosingReport | null }): boolean {
  return closing !== null && closing.used_chunks.length + missedIn(closing) > 0;
}
