import type { OPERATIONS } from '../operations.ts';
import { AGENT_EXAMPLES } from './agent-examples.ts';
import { AUDIT_EXAMPLES } from './audit-examples.ts';
import { DOCUMENT_EXAMPLES } from './document-examples.ts';
import type { ExamplesOf } from './example.ts';
import { HOST_EXAMPLES, PAGE_EXAMPLES } from './host-examples.ts';
import { REPORT_EXAMPLES } from './report-examples.ts';

/** An example for every operation of the table. */
export const EXAMPLES: ExamplesOf<typeof OPERATIONS> = {
  ...AGENT_EXAMPLES,
  ...DOCUMENT_EXAMPLES,
  ...AUDIT_EXAMPLES,
  ...HOST_EXAMPLES,
  ...REPORT_EXAMPLES,
  ...PAGE_EXAMPLES,
};
