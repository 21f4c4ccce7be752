import { measuredOf } from '../../compiler/quality/metrics/measured-garden.ts';
import { createMetrics } from '../../compiler/quality/metrics/metrics.ts';
import { windowOf, type MetricsQuery } from '../../compiler/schema/api/metrics-query.ts';
import type { ServedMetrics } from '../../compiler/schema/api/metrics.ts';
import { Coverage } from '../../compiler/schema/bundle/coverage.ts';
import { readBack, READING } from '../audit/read.ts';
import type { Call } from './call.ts';
import { agentIdOf, loadRequestedGarden } from './documents.ts';

/**
 * §21.5.3: audit metrics of an agent; only for administrators. The answer says how much of the window was read.
 *
 * @throws instruction_scope_denied, agent_not_found, recall_backend_unavailable
 */
export async function agentMetrics(call: Call, query: MetricsQuery): Promise<ServedMetrics> {
  const { audit, now: clock } = call.services;
  const garden = loadRequestedGarden(call);
  const { recall, predicate, proven } = garden;
  const now = clock();
  const bytes = call.snapshot.gardens.file(proven.name, 'coverage.json');
  const coverage = bytes && Coverage.parse(JSON.parse(bytes.toString('utf8')));
  const facts = recall.facts.filter((_, unit) => !recall.withdrawn.has(unit));
  const window = windowOf(query, now);
  const measured = measuredOf({ predicate, facts, coverage }, now);
  const metrics = createMetrics(measured, window);
  const agent = agentIdOf(garden);
  const reading = { agent, entities: { [agent]: measured.entity }, ...window };
  const read = await readBack(audit, reading, metrics, { ...READING, signal: call.cancellation() });
  const { spooled } = audit.health();
  return { ...metrics.result(), read: { ...read, from: new Date(read.from).toISOString(), spooled } };
}
