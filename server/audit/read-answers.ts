import type { AuditedAnswer, AnswersFilter } from '../../compiler/schema/audit/answered.ts';
import { readFailure } from './failures.ts';
import { assertExists, withLedger, type AuditPlace } from './maintenance.ts';
import { openLedger } from './open.ts';
import { readBack, UNLIMITED, type ReadBack, type AuditWindow, type ReadingSink } from './read.ts';
import type { SumsReader } from './records/log.ts';

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
 * Aggregates a window of an audit day by day, as the server does, but without limits.
 *
 * @param after called at the end, with a reader of single answers
 * @throws audit_not_found, argument_invalid, output_failed
 */
export function readSums<T>(
  place: AuditPlace,
  reading: AuditWindow,
  sink: ReadingSink,
  after: (read: ReadBack, answersAt: SumsReader['answersAt']) => Promise<T>,
): Promise<T> {
  return withLedger(place, 'read', async (ledger) =>
    after(await readBack(ledger, reading, sink, UNLIMITED), ledger.answersAt),
  );
}
