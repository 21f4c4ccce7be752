import { z } from 'zod';
import { Attested } from '../compiler/model/attested.ts';
import { Closing } from '../compiler/model/audit.ts';
import { AuditPage, AuditPageQuery } from '../compiler/model/auditpage.ts';
import { CoverageReport } from '../compiler/model/coveragereport.ts';
import type { ErrorCode } from '../compiler/model/errors.ts';
import { HeartbeatRequest, HeartbeatResponse } from '../compiler/model/heartbeat.ts';
import { ServedMetrics } from '../compiler/model/metrics.ts';
import { MetricsQuery } from '../compiler/model/metricsquery.ts';
import { Manifest } from '../compiler/model/manifest.ts';
import { Publication } from '../compiler/model/publication.ts';
import { Published } from '../compiler/model/published.ts';
import { Readiness } from '../compiler/model/readiness.ts';
import { RecallRequest, RecallResponse } from '../compiler/model/recall.ts';
import type { Operation, Success } from './operation.ts';
import { REPORT_OPERATIONS } from './reportoperations.ts';

const json = (description: string, schema: z.ZodType): Success => ({
  status: 200,
  description,
  type: 'application/json',
  schema,
});

const AGENT = '/v1/agents/{agent_id}';

/** What the compiler may say of a manifest that is published (§21.8.3). */
const PUBLISHING: readonly ErrorCode[] = [
  ...(['publish_disabled', 'agent_not_found', 'manifest_version_conflict', 'manifest_too_large'] as const),
  ...(['manifest_entry_invalid', 'manifest_coverage_failure', 'task_type_unknown', 'sources_invalid'] as const),
  ...(['guarantee_cap_exceeded', 'task_types_approval_required', 'guarantee_approval_required'] as const),
  ...(['position_approval_required', 'bypass_approval_required'] as const),
];

/** Everything that can be asked over HTTP: §21.8, DESIGN §8. */
export const OPERATIONS = {
  recallInstruction: {
    method: 'post',
    path: `${AGENT}/recall-instruction`,
    summary: 'Recall the instructions that an intent needs (§21.8.4)',
    access: 'agents',
    query: z.object({ explain: z.enum(['true', 'false']).optional() }),
    headers: z.object({ 'X-Heartbeat-Id': z.string().max(128).optional() }),
    body: RecallRequest,
    success: json('The chunks, in the order in which to read them', RecallResponse),
    errors: ['intent_required', 'agent_not_found'],
  },
  heartbeat: {
    method: 'post',
    path: `${AGENT}/heartbeat`,
    summary: 'Wake up: the boot stub, and every unit that is owed to the wake reason (§21.1.5)',
    access: 'agents',
    body: HeartbeatRequest,
    bodyMayBeAbsent: true,
    success: json('What to read before any task', HeartbeatResponse),
    errors: [
      ...(['wake_reason_unverified', 'guaranteed_unit_unavailable'] as const),
      ...(['boot_stub_not_found', 'agent_not_found'] as const),
    ],
  },
  closeRecall: {
    method: 'post',
    path: '/v1/instruction/audit',
    summary: 'Say which chunks were used, and which were missed (§21.8.5)',
    access: 'agents',
    body: Closing,
    success: { status: 204, description: 'Kept; a second closing changes nothing' },
    errors: ['audit_token_invalid', 'audit_token_expired', 'agent_not_found'],
  },
  getBootStub: {
    method: 'get',
    path: `${AGENT}/boot-stub`,
    summary: 'The boot stub under an adapter profile (§21.8.1)',
    access: 'agents',
    query: z.object({ profile: z.string().default('generic') }),
    success: {
      status: 200,
      description: 'The stub, as it was signed; an unknown profile is delivered as generic',
      type: 'text/markdown',
      headers: {
        'X-Stub-Version': 'Version of the schema of stubs',
        'X-Manifest-Version': 'Version of the manifest it belongs to',
        'X-Token-Count': 'Tokens of its body',
      },
      cached: true,
    },
    errors: ['agent_not_found', 'boot_stub_not_found'],
  },
  getManifest: {
    method: 'get',
    path: `${AGENT}/instruction-manifest`,
    summary: 'The list of an agent’s units (§21.8.2)',
    access: 'agents',
    success: { ...json('The manifest, in the very bytes that were signed', Manifest), cached: true },
    errors: ['agent_not_found', 'manifest_not_found'],
  },
  publishManifest: {
    method: 'put',
    path: `${AGENT}/instruction-manifest`,
    summary: 'Replace a manifest, where publishing is not merging alone (§21.8.3)',
    access: 'admins',
    body: Publication,
    reads: 'raw',
    limit: null,
    success: json('What it came to; every gate was passed', Published),
    errors: PUBLISHING,
  },
  getCoverage: {
    method: 'get',
    path: `${AGENT}/instruction-manifest/coverage`,
    summary: 'How well an agent’s units are found (§21.8.6)',
    access: 'agents',
    success: json('The report; its categorical label for administrators alone', CoverageReport),
    errors: ['agent_not_found', 'manifest_not_found', 'coverage_not_found'],
  },
  getFact: {
    method: 'get',
    path: '/v1/facts/{fact_uri}',
    summary: 'One fact, in force or not any more, with what vouches for it (§21.4.3)',
    access: 'agents',
    success: json('The fact', Attested),
    errors: ['fact_not_found'],
  },
  getAudit: {
    method: 'get',
    path: `${AGENT}/audit`,
    summary: 'The newest audit records of an agent (§21.5.1)',
    access: 'admins',
    query: AuditPageQuery,
    success: json('Newest first', AuditPage),
    errors: ['agent_not_found'],
  },
  getAgentMetrics: {
    method: 'get',
    path: `${AGENT}/metrics`,
    summary: 'What the audit tells of an agent: Recall@k, Hit@k, miss rate, tokens saved (§21.5.3)',
    access: 'admins',
    query: MetricsQuery,
    success: json('The figures, and how much of the audit they are of', ServedMetrics),
    errors: ['agent_not_found'],
  },
  getHealth: {
    method: 'get',
    path: '/healthz',
    summary: 'Whether the process answers',
    access: 'probe',
    success: json('It does', z.strictObject({ status: z.literal('ok') })),
    errors: [],
  },
  getReadiness: {
    method: 'get',
    path: '/readyz',
    summary: 'Whether requests should be sent here',
    access: 'probe',
    success: json('They should', Readiness),
    unready: { status: 503, description: 'They should not', schema: Readiness },
    errors: [],
  },
  getMetrics: {
    method: 'get',
    path: '/metrics',
    summary: 'Metrics in the text format of Prometheus',
    access: 'scraper',
    success: { status: 200, description: 'No agent is named in them', type: 'text/plain' },
    errors: [],
  },
  getOpenApi: {
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    access: 'anyone',
    success: { ...json('OpenAPI 3.1', z.looseObject({ openapi: z.literal('3.1.1') })), cached: true },
    errors: [],
  },
  ...REPORT_OPERATIONS,
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof OPERATIONS;
