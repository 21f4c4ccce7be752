import type { AuditedAnswer } from '../../schema/audit/answered.ts';
import { MISSES_SUMMED, type AuditSums } from '../../schema/audit/sums.ts';
import { COVERAGE_K } from '../../schema/bundle/coverage.ts';
import type { AuditFigures, MissedRecall } from '../../schema/report/agent-report.ts';
import { createMetrics, type Measured, type MetricsAccumulator } from '../metrics/metrics.ts';

/** The depths of Recall@k in a report. */
export const DEPTHS = [1, COVERAGE_K, 10];

/** Number of days that a report shows. */
export const REPORT_DAYS = 28;

/** Accumulates an agent's figures from the sums of a store, in any order. */
export interface AuditAccumulator {
  readonly addSums: MetricsAccumulator['addSums'];
  /** The sequence numbers of the newest answers for which the agent missed a unit. */
  readonly newestMisses: () => number[];
  /** @param missed the answers with those numbers that still exist */
  readonly result: (read: AuditFigures['read'], missed: readonly AuditedAnswer[]) => AuditFigures;
}

export interface AuditWindow {
  /** Milliseconds since 1970; inclusive, exclusive. */
  readonly since: number;
  readonly until: number;
  /** Whether intents may be shown. */
  readonly shows_intents: boolean;
}

export function createAuditFigures(measured: Measured, { since, until, shows_intents }: AuditWindow): AuditAccumulator {
  const figures = createMetrics(measured, { since, until, depths: DEPTHS });
  let newest: AuditSums['newest_misses'] = [];
  let misses = 0;
  return {
    addSums: (sums, place) => {
      figures.addSums(sums, place);
      misses += sums.misses;
      newest = [...newest, ...sums.newest_misses].sort(([a, x], [b, y]) => b - a || y - x).slice(0, MISSES_SUMMED);
    },
    newestMisses: () => newest.map(([, seq]) => seq),
    result: (read, answers) => {
      const missed = [...answers].sort((a, b) => b.created_at - a.created_at || b.seq - a.seq);
      return {
        metrics: figures.result(),
        read,
        missed: missed.map((it) => missedOf(it, shows_intents)),
        more_missed: Math.max(0, misses - missed.length),
      };
    },
  };
}

function missedOf(it: AuditedAnswer, shows_intents: boolean): MissedRecall {
  return {
    at: new Date(it.created_at).toISOString(),
    intent: shows_intents ? it.intent : '',
    loaded: it.loaded_chunks.map(({ name }) => name),
    missed: [...(it.closing?.missed_chunks ?? [])],
    nothing_fits: it.closing?.nothing_fits ?? false,
  };
}
