import { readSums, spooledRows } from '../../../server/main.ts';
import { auditing, type Auditing } from '../../present/report/audit.ts';
import { factsOf } from '../../present/report/garden-reading.ts';
import { measuredOf } from '../../quality/metrics/measured-garden.ts';
import type { AuditFigures } from '../../schema/report/agent-report.ts';
import type { AuditSpan } from '../../schema/report/report.ts';
import { placeFrom } from '../world/audit-place.ts';
import { windowFrom } from '../world/time-window.ts';
import type { World } from '../world/world.ts';
import type { Reported } from './report-bundle.ts';

interface AuditFlags {
  readonly audit: string;
  readonly state: string | undefined;
  readonly since: string;
  readonly 'show-intents': boolean;
}

/** An audit that was read. */
export interface AuditRead {
  readonly span: AuditSpan;
  readonly figuresOf: (agent: string) => AuditFigures | null;
  /** Rows that waited for its store meanwhile. */
  readonly spooled: number;
}

/** Reads an audit once, from its first row in the window to its last. @throws audit_not_found, argument_invalid */
export async function readAudit(reported: Reported, args: AuditFlags, world: World): Promise<AuditRead> {
  const now = world.now().getTime();
  const { since } = windowFrom({ since: args.since, until: undefined }, world);
  const window = { since, until: now + 1, shows_intents: args['show-intents'] };
  const agents = new Map(reported.agents.map((name) => [name, listen(reported, name, window, now)]));
  const byId = new Map([...agents.values()].map((it) => [it.id, it]));
  const place = placeFrom(args, world);
  const entities = Object.fromEntries([...agents.values()].map((it) => [it.id, it.entity]));
  const sink = { addSums: (...told: Parameters<Auditing['addSums']>) => byId.get(told[0].agent_id)?.add(...told) };
  const reading = { agent: null, since, until: window.until, entities };
  const from = new Date(since).toISOString();
  return readSums(place, reading, sink, async ({ rows: answers }, answersAt) => {
    const figures = new Map<string, AuditFigures>();
    for (const [name, it] of agents) figures.set(name, it.result(from, await answersAt(it.newestMisses())));
    const span = { since: from, until: new Date(now).toISOString(), answers, complete: true };
    return { span, figuresOf: (name) => figures.get(name) ?? null, spooled: spooledRows(place) };
  });
}

function listen(reported: Reported, name: string, window: Parameters<typeof auditing>[1], now: number) {
  const reading = reported.read(name);
  const { predicate, coverage } = reading.own;
  const facts = factsOf(reading).filter((it) => it.withheld === undefined);
  const measured = measuredOf({ predicate, facts, coverage }, now);
  const told: Auditing = auditing(measured, window);
  let rows = 0;
  return {
    id: predicate.agent?.agent_id ?? '',
    entity: measured.entity,
    add: (...[sums, at]: Parameters<Auditing['addSums']>) => {
      rows += sums.rows;
      told.addSums(sums, at);
    },
    newestMisses: told.newestMisses,
    result: (from: string, missed: Parameters<Auditing['result']>[1]) =>
      told.result({ rows, complete: true, from }, missed),
  };
}
