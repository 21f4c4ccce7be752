import { reportAgent } from '../../compiler/quality/report/agent.ts';
import { reportDeployment } from '../../compiler/quality/report/deployment.ts';
import { recall } from '../../compiler/recall/recall.ts';
import type { RecallRequest } from '../../compiler/schema/api/recall.ts';
import type { TriedRecall } from '../../compiler/schema/api/tried-recall.ts';
import type { AgentReport } from '../../compiler/schema/report/agent-report.ts';
import type { Report } from '../../compiler/schema/report/report.ts';
import { figuresOf, weekOf } from './agent-figures.ts';
import type { Call } from './call.ts';
import { loadRequestedGarden } from './documents.ts';
import { readAgent, readBefore, surveyGardens } from './report-gardens.ts';

/** The overview of the deployment; only for administrators. The audit is read each time, as far as the limit allows. */
export async function deploymentReport({ snapshot, services, cancellation }: Call): Promise<Report> {
  const { gardens } = snapshot;
  const now = services.now();
  const { summaries, measured, shared, previous, unread } = await surveyGardens(gardens, services.previousBundle, now);
  const { span, lineOf } = await weekOf(services.audit, measured, { now, signal: cancellation() });
  return reportDeployment({
    bundle: gardens.bundle.root.predicate,
    model: gardens.bundle.org.model,
    previous: previous && previous.root.predicate,
    audit: span,
    agents: summaries.map((it) => ({ ...it, audit: lineOf(it.agent_id) })),
    unread,
    shared,
    now: new Date(now).toISOString(),
  });
}

/** One agent in full; only for administrators. */
export async function agentReport(call: Call): Promise<AgentReport> {
  const { snapshot, services } = call;
  const { proven } = loadRequestedGarden(call);
  const now = services.now();
  const { gardens } = snapshot;
  const reading = readAgent(gardens, proven.name, gardens.withdrawn);
  const before = readBefore(services.previousBundle(gardens.bundle), proven.name, gardens.withdrawn);
  const audit = await figuresOf(services.audit, reading, { now, signal: call.cancellation() });
  return reportAgent(reading, { before, audit });
}

/**
 * The units that a recall would return, and why; only for administrators. It returns no texts and answers no agent, so
 * nothing is written to the audit: the audit records only what agents were given.
 */
export async function tryRecall(call: Call, request: RecallRequest): Promise<TriedRecall> {
  const { recall: garden } = loadRequestedGarden(call);
  const now = new Date(call.services.now()).toISOString();
  const query = await call.snapshot.queries(request.intent, garden.index);
  const answer = recall(garden, request, { now, query, explain: true });
  const { chunks, total_tokens, truncated, warnings, by_files, explain } = answer;
  if (!explain) throw new TypeError('recall returned no explanation');
  const order = chunks.map((it) => it.name);
  return { order, total_tokens, truncated, warnings, ...(by_files && { by_files }), explain };
}
