import { AUDIT_OPERATIONS, REPORT_OPERATIONS } from '../operations/tables/admin-operations.ts';
import { AGENT_OPERATIONS } from '../operations/tables/agent-operations.ts';
import { DOCUMENT_OPERATIONS } from '../operations/tables/document-operations.ts';
import { STORE_OPERATIONS } from '../operations/tables/store-operations.ts';
import { DISCOVERY_OPERATIONS, HOST_OPERATIONS, PAGE_OPERATIONS } from './host-operations.ts';

/** The operation table (§21.8, DESIGN §8). */
export const OPERATIONS = {
  ...AGENT_OPERATIONS,
  ...DOCUMENT_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...STORE_OPERATIONS,
  ...DISCOVERY_OPERATIONS,
  ...HOST_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...PAGE_OPERATIONS,
};
