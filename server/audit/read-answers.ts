import type { AuditedAnswer, AnswersFilter } from '../../compiler/schema/audit/answered.ts';
import type { ArrivalSums } from '../../compiler/schema/audit/sums.ts';
import { readFailure } from './failures.ts';
import { assertExists, withLedger, type AuditPlace } from './maintenance.ts';
import { openLedger } from './open.ts';
import { readBack, UNLIMITED, type ReadBack, type AuditWindow, type ReadingSink } from './read.ts';

/** Rows per page; a page takes a few milliseconds. */
const PAGE = 1000;

/**
 * All answers that a filter matches, by `seq`, in pages of a thousand: a consistent snapshot despite concurrent writes.
 *
 * @throws audit_not_found, argument_invalid, output_failed
 */
export async function* readAnswers(place: AuditPlace, filter: AnswersFilter): AsyncGenerator<readonly AuditedAnswer[]> {
  assertExists(place);
  const ledger = await openLedger(place.audit, 'read');
  try {
    for (let after = 0; ;) {
      const page = await ledger.answers(filter, after, PAGE);
      if (page.length > 0) yield page;
      after = page.at(-1)?.seq ?? after;
      if (page.length < PAGE) return;
    }
  } catch (error) {
    throw await readFailure(place.audit, error);
  } finally {
    await ledger.end().catch(() => undefined);
  }
}

/**
 * The newest prompts of an agent for which a hook named units and gave no page, where their text is stored.
 *
 * @throws audit_not_found, argument_invalid, output_failed
 */
export async function readPrompts(
  place: AuditPlace,
  { agent, since, until }: AnswersFilter & { readonly agent: string },
): Promise<ArrivalSums[]> {
  const query = { entities: { [agent]: '' }, since, until, withText: true };
  const read = await withLedger(place, 'read', (ledger) => ledger.arrivals(query));
  return read.filter(({ text, pages, name }) => text !== null && name !== null && pages.length === 0);
}

/**
 * Aggregates a window of an audit day by day, as the server does, but without limits.
 *
 * @throws audit_not_found, argument_invalid, output_failed
 */
export function readSums(place: AuditPlace, reading: AuditWindow, sink: ReadingSink): Promise<ReadBack> {
  return withLedger(place, 'read', (ledger) => readBack(ledger, reading, sink, UNLIMITED));
}
