import { spooledRows } from '../../../server/audit/queue/spool-file.ts';
import { readSums } from '../../../server/audit/read-answers.ts';
import { measuredOf } from '../../quality/metrics/measured-garden.ts';
import { createAuditFigures, type AuditAccumulator } from '../../quality/report/audit.ts';
import { factsOf } from '../../quality/report/garden-reading.ts';
import type { AuditFigures } from '../../schema/report/agent-report.ts';
import type { AuditSpan } from '../../schema/report/report.ts';
import { auditPlaceFrom } from '../../world/audit-place.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { REPORT } from '../../world/flags/quality.ts';
import { windowFrom } from '../../world/time-window.ts';
import type { World } from '../../world/world.ts';
import type { ReportedBundle } from './report-bundle.ts';

type AuditFlags = Pick<Arguments<typeof REPORT>, 'state' | 'since' | 'show-intents'> & { readonly audit: string };

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
  const window = { since, until: now + 1, shows_intents: args['show-intents'] };
  const agents = new Map(reported.agents.map((name) => [name, accumulate(reported, name, window, now)]));
  const byId = new Map([...agents.values()].map((it) => [it.id, it]));
  const place = auditPlaceFrom(args, world);
  const entities = Object.fromEntries([...agents.values()].map((it) => [it.id, it.entity]));
  const sink = {
    addSums: (...added: Parameters<AuditAccumulator['addSums']>) => byId.get(added[0].agent_id)?.add(...added),
  };
  const reading = { agent: null, since, until: window.until, entities };
  const from = new Date(since).toISOString();
  return readSums(place, reading, sink, async ({ rows: answers }, answersAt) => {
    const figures = new Map<string, AuditFigures>();
    for (const [name, it] of agents) figures.set(name, it.result(from, await answersAt(it.newestMisses())));
    const span = { since: from, until: new Date(now).toISOString(), answers, complete: true };
    return { span, figuresOf: (name) => figures.get(name) ?? null, spooled: spooledRows(place) };
  });
}

function accumulate(
  reported: ReportedBundle,
  name: string,
  window: Parameters<typeof createAuditFigures>[1],
  now: number,
) {
  const reading = reported.read(name);
  const { predicate, coverage } = reading.own;
  const facts = factsOf(reading).filter((it) => it.withheld === undefined);
  const measured = measuredOf({ predicate, facts, coverage }, now);
  const figures: AuditAccumulator = createAuditFigures(measured, window);
  let rows = 0;
  return {
    id: predicate.agent?.agent_id ?? '',
    entity: measured.entity,
    add: (...[sums, at]: Parameters<AuditAccumulator['addSums']>) => {
      rows += sums.rows;
      figures.addSums(sums, at);
    },
    newestMisses: figures.newestMisses,
    result: (from: string, missed: Parameters<AuditAccumulator['result']>[1]) =>
      figures.result({ rows, complete: true, from }, missed),
  };
}
