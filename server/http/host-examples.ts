import type { ExamplesOf } from './examples/example.ts';
import { REVISION } from './examples/sample.ts';
import type { DISCOVERY_OPERATIONS, HOST_OPERATIONS, PAGE_OPERATIONS } from './host-operations.ts';

/** Examples of operations on the host. */
export const HOST_EXAMPLES: ExamplesOf<typeof HOST_OPERATIONS> = {
  getHealth: { answer: { status: 'ok' } },
  getReadiness: {
    answer: {
      status: 'ready',
      bundle_revision: REVISION,
      fresh: null,
      refused: null,
      unavailable: null,
      held: 0,
      withdrawn: 0,
      withdrawals: { status: 'unknown', skipped: 0, missing: 0, until: null },
      recertify_by: null,
    },
  },
  getMetrics: {
    answer:
      '# HELP vade_audit_up 1 if the last write to the store succeeded\n# TYPE vade_audit_up gauge\nvade_audit_up 1\n',
  },
  getOpenApi: { answer: { openapi: '3.1.1', info: { title: 'Vademecum', version: '1.0.0' }, paths: {} } },
};

const HEALTH = {
  name: 'get_health',
  operation: 'getHealth',
  summary: 'Whether the process is alive',
  method: 'GET',
  path: '/healthz',
  access: 'probe',
  effect: 'read',
  scope: null,
  namespace: null,
} as const;

/** Examples of what a client finds, cut to one operation. */
export const DISCOVERY_EXAMPLES: ExamplesOf<typeof DISCOVERY_OPERATIONS> = {
  getTools: {
    answer: {
      ok: true,
      version: '1.0.0',
      count: 1,
      tools: [
        {
          ...HEALTH,
          input_schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
          output_schema: {
            type: 'object',
            properties: { status: { type: 'string', const: 'ok' } },
            required: ['status'],
            additionalProperties: false,
          },
        },
      ],
    },
  },
  getEndpoints: {
    answer: {
      ok: true,
      version: '1.0.0',
      keeps_capsules: true,
      mcp: { curated: '/mcp', full: '/v1/mcp' },
      count: 1,
      endpoints: [HEALTH],
    },
  },
};

/** Examples of the page’s files: how each begins. */
export const PAGE_EXAMPLES: ExamplesOf<typeof PAGE_OPERATIONS> = {
  getPage: { answer: '<!doctype html>\n' },
  getPageScript: { answer: '"use strict";' },
  getPageStyle: { answer: ':root {' },
};
