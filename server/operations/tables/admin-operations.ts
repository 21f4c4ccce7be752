import { MetricsQuery } from '../../../compiler/schema/api/metrics-query.ts';
import { ServedMetrics } from '../../../compiler/schema/api/metrics.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { TriedRecall } from '../../../compiler/schema/api/tried-recall.ts';
import { AuditPage, AuditPageQuery } from '../../../compiler/schema/audit/page.ts';
import { AgentReport } from '../../../compiler/schema/report/agent-report.ts';
import { Report } from '../../../compiler/schema/report/report.ts';
import { auditEntries } from '../documents.ts';
import { agentMetrics } from '../metrics.ts';
import { ADMIN_READS, jsonSuccess, operation } from '../operation.ts';
import { agentReport, deploymentReport, tryRecall } from '../report.ts';
import { value } from '../result.ts';

/** Audit operations, for administrators (§21.5). */
export const AUDIT_OPERATIONS = {
  getAudit: operation({
    ...ADMIN_READS,
    path: '/v1/agents/{agent_id}/audit',
    summary: 'The newest audit records of an agent (§21.5.1)',
    query: AuditPageQuery,
    success: jsonSuccess('Newest first', AuditPage),
    errors: ['agent_not_found', 'audit_unverified'],
    run: async (call, { query }) => value(await auditEntries(call, query)),
  }),
  getAgentMetrics: operation({
    ...ADMIN_READS,
    path: '/v1/agents/{agent_id}/metrics',
    summary: 'Audit metrics of an agent: Recall@k, Hit@k, miss rate, tokens saved (§21.5.3)',
    query: MetricsQuery,
    success: jsonSuccess('The metrics, and how much of the audit they cover', ServedMetrics),
    errors: ['agent_not_found', 'audit_unverified'],
    run: async (call, { query }) => value(await agentMetrics(call, query)),
  }),
};

/** The data of the administrators' page. */
export const REPORT_OPERATIONS = {
  getReport: operation({
    ...ADMIN_READS,
    path: '/v1/report',
    summary: 'An overview of the deployment: the first view of the page',
    // the first call after a bundle swap reads every garden, one per turn of the event loop
    limit: null,
    success: jsonSuccess('Budgets, coverage, probes and the last seven days of each agent', Report),
    errors: ['audit_unverified'],
    run: async (call) => value(await deploymentReport(call)),
  }),
  getAgentReport: operation({
    ...ADMIN_READS,
    path: '/v1/agents/{agent_id}/report',
    summary: 'One agent in full: units with their history, probes, approvals, audit',
    limit: null,
    success: jsonSuccess('Without the intents of the audit', AgentReport),
    errors: ['agent_not_found', 'audit_unverified'],
    run: async (call) => value(await agentReport(call)),
  }),
  tryRecall: operation({
    ...ADMIN_READS,
    method: 'post',
    path: '/v1/agents/{agent_id}/playground',
    summary: 'What a recall would return, and why: without texts, and without an audit record',
    body: RecallRequest,
    success: jsonSuccess('Every unit with its scores, and the names of the units that would be returned', TriedRecall),
    errors: ['agent_not_found'],
    run: async (call, { body }) => value(await tryRecall(call, body)),
  }),
};
