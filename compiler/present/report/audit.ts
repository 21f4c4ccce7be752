import { measuring, type Measured } from '../../evaluate/metrics.ts';
import type { AuditFigures, MissedRecall } from '../../model/agentreport.ts';
import type { Answered } from '../../model/answered.ts';
import { COVERAGE_K } from '../../model/coverage.ts';

/** Depths that used units are looked for in. */
export const DEPTHS = [1, COVERAGE_K, 10];

/** How far back the days go that a report shows. */
export const REPORT_DAYS = 28;

/** Recalls that missed something and are told one by one. */
const MAX_MISSED = 50;

/** An agent's figures, as its rows are told in any order. */
export interface Auditing {
  readonly add: (answered: Answered) => void;
  readonly result: (read: AuditFigures['read']) => AuditFigures;
}

export interface AuditWindow {
  /** Milliseconds since 1970; inclusive, exclusive. */
  readonly since: number;
  readonly until: number;
  /** Whether intents may be told. */
  readonly shows_intents: boolean;
}

/** Told row by row, so that no audit has to be held in memory. */
export function auditing(measured: Measured, { since, until, shows_intents }: AuditWindow): Auditing {
  const figures = measuring(measured, { since, until, depths: DEPTHS });
  let newest: MissedRecall[] = [];
  let missing = 0;
  const add = (it: Answered) => {
    figures.add(it);
    if ((it.closing?.missed_chunks.length ?? 0) === 0) return;
    missing += 1;
    newest.push(missedOf(it, shows_intents));
    if (newest.length >= 2 * MAX_MISSED) newest = newestOf(newest);
  };
  const result = (read: AuditFigures['read']) => {
    const missed = newestOf(newest);
    return { metrics: figures.result(), read, missed, more_missed: missing - missed.length };
  };
  return { add, result };
}

function newestOf(missed: readonly MissedRecall[]): MissedRecall[] {
  return [...missed].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MAX_MISSED);
}

function missedOf(it: Answered, shows_intents: boolean): MissedRecall {
  return {
    at: new Date(it.created_at).toISOString(),
    intent: shows_intents ? it.intent : '',
    loaded: it.loaded_chunks.map(({ name }) => name),
    missed: [...(it.closing?.missed_chunks ?? [])],
  };
}
