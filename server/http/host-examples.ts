import type { ExamplesOf } from './examples/example.ts';
import { REVISION } from './examples/sample.ts';
import type { HOST_OPERATIONS, PAGE_OPERATIONS } from './host-operations.ts';

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

/** Examples of the page’s files: how each begins. */
export const PAGE_EXAMPLES: ExamplesOf<typeof PAGE_OPERATIONS> = {
  getPage: { answer: '<!doctype html>\n' },
  getPageScript: { answer: '"use strict";' },
  getPageStyle: { answer: ':root {' },
};
