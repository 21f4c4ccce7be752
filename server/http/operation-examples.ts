import { AGENT_EXAMPLES } from './examples/agent-examples.ts';
import { AUDIT_EXAMPLES } from './examples/audit-examples.ts';
import { CONTEXT_EXAMPLES } from './examples/context-examples.ts';
import { CAPSULE_REPORT_EXAMPLES, CONTINUITY_EXAMPLES } from './examples/continuity-examples.ts';
import { COORDINATION_EXAMPLES } from './examples/coordination-examples.ts';
import { DOCUMENT_EXAMPLES } from './examples/document-examples.ts';
import type { ExamplesOf } from './examples/example.ts';
import { REPORT_EXAMPLES } from './examples/report-examples.ts';
import { SCHEDULE_EXAMPLES } from './examples/schedule-examples.ts';
import { DISCOVERY_EXAMPLES, HOST_EXAMPLES, PAGE_EXAMPLES } from './host-examples.ts';
import type { OPERATIONS } from './operations.ts';

/** An example for every operation of the table. */
export const EXAMPLES: ExamplesOf<typeof OPERATIONS> = {
  ...AGENT_EXAMPLES,
  ...DOCUMENT_EXAMPLES,
  ...AUDIT_EXAMPLES,
  ...CONTEXT_EXAMPLES,
  ...CONTINUITY_EXAMPLES,
  ...COORDINATION_EXAMPLES,
  ...CAPSULE_REPORT_EXAMPLES,
  ...SCHEDULE_EXAMPLES,
  ...DISCOVERY_EXAMPLES,
  ...HOST_EXAMPLES,
  ...REPORT_EXAMPLES,
  ...PAGE_EXAMPLES,
};
