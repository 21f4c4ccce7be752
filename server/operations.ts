import { AUDIT_OPERATIONS, REPORT_OPERATIONS } from './adminoperations.ts';
import { AGENT_OPERATIONS } from './agentoperations.ts';
import { DOCUMENT_OPERATIONS } from './documentoperations.ts';
import { HOST_OPERATIONS, PAGE_OPERATIONS } from './hostoperations.ts';

/** Everything that can be asked (§21.8, DESIGN §8), by whatever door. */
export const OPERATIONS = {
  ...AGENT_OPERATIONS,
  ...DOCUMENT_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...HOST_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...PAGE_OPERATIONS,
};
