import { spooledRows } from '../../../server/audit/queue/spool-file.ts';
import { readSums } from '../../../server/audit/read-answers.ts';
import { measuredOf } from '../../quality/metrics/measured-garden.ts';
import { createMetrics, type MetricsAccumulator } from '../../quality/metrics/metrics.ts';
import { factsOf } from '../../quality/report/garden-reading.ts';
import type { MetricsWindow } from '../../schema/api/metrics-query.ts';
import { REPORT_DEPTHS, type AuditFigures } from '../../schema/report/agent-report.ts';
import type { AuditSpan } from '../../schema/report/report.ts';
import { auditPlaceFrom } from '../../world/audit-place.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { REPORT } from '../../world/flags/quality.ts';
import { windowFrom } from '../../world/time-window.ts';
import type { World } from '../../world/world.ts';
import type { ReportedBundle } from './report-bundle.ts';

type AuditFlags = Pick<Arguments<typeof REPORT>, 'state' | 'since'> & { readonly audit: string };

/** The figures of an audit. */
export interface AuditRead {
  readonly span: AuditSpan;
  readonly figuresOf: (agent: string) => AuditFigures | null;
  /** Rows that still wait in the spool. */
  readonly spooled: number;
}

/** Reads an audit once, from its first row in the window to its last. @throws audit_not_found, argument_invalid */
export async function readAudit(reported: ReportedBundle, args: AuditFlags, world: World): Promise<AuditRead> {
  const now = world.now().getTime();
  const { since } = windowFrom({ since: args.since, until: undefined }, world);
  const until = now + 1;
  const agents = new Map(reported.agents.map((name) => [name, accumulate(reported, name, { since, until })]));
  const byId = new Map([...agents.values()].map((it) => [it.id, it]));
  const place = auditPlaceFrom(args, world);
  const entities = Object.fromEntries([...agents.values()].map((it) => [it.id, it.entity]));
  const sink: Pick<MetricsAccumulator, 'addSums' | 'addArrivals'> = {
    addSums: (sums, at) => byId.get(sums.agent_id)?.addSums(sums, at),
    addArrivals: (sums) => byId.get(sums.agent_id)?.addArrivals(sums),
  };
  const reading = { agent: null, since, until, entities };
  const from = new Date(since).toISOString();
  const { rows: answers } = await readSums(place, reading, sink);
  const span = { since: from, until: new Date(now).toISOString(), answers, complete: true };
  return { span, figuresOf: (name) => agents.get(name)?.result(from) ?? null, spooled: spooledRows(place) };
}

function accumulate(reported: ReportedBundle, name: string, window: Pick<MetricsWindow, 'since' | 'until'>) {
  const reading = reported.read(name);
  const { predicate, coverage } = reading.own;
  const facts = factsOf(reading).filter((it) => it.withheld === undefined);
  const measured = measuredOf({ predicate, facts, coverage }, window.until - 1);
  const figures = createMetrics(measured, { ...window, depths: REPORT_DEPTHS });
  let rows = 0;
  return {
    id: measured.agent_id,
    entity: measured.entity,
    addArrivals: figures.addArrivals,
    addSums: (...[sums, at]: Parameters<MetricsAccumulator['addSums']>) => {
      rows += sums.rows;
      figures.addSums(sums, at);
    },
    result: (from: string): AuditFigures => ({ metrics: figures.result(), read: { rows, complete: true, from } }),
  };
}
