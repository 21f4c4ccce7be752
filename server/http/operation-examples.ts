import { AGENT_EXAMPLES } from './examples/agent-examples.ts';
import { AUDIT_EXAMPLES } from './examples/audit-examples.ts';
import { CAPSULE_REPORT_EXAMPLES, CONTINUITY_EXAMPLES } from './examples/continuity-examples.ts';
import { DOCUMENT_EXAMPLES } from './examples/document-examples.ts';
import type { ExamplesOf } from './examples/example.ts';
import { REPORT_EXAMPLES } from './examples/report-examples.ts';
import { HOST_EXAMPLES, PAGE_EXAMPLES } from './host-examples.ts';
import type { OPERATIONS } from './operations.ts';

/** An example for every operation of the table. */
export const EXAMPLES: ExamplesOf<typeof OPERATIONS> = {
  ...AGENT_EXAMPLES,
  ...DOCUMENT_EXAMPLES,
  ...AUDIT_EXAMPLES,
  ...CONTINUITY_EXAMPLES,
  ...CAPSULE_REPORT_EXAMPLES,
  ...HOST_EXAMPLES,
  ...REPORT_EXAMPLES,
  ...PAGE_EXAMPLES,
};
