import { McpRecallRequest } from '../../compiler/schema/api/recall.ts';
import { operation } from '../operations/operation.ts';
import { OWN_OPERATIONS } from '../operations/tables/agent-caller.ts';

/** Recall with the defaults of MCP, whose callers are models. */
export const MCP_RECALL = operation({ ...OWN_OPERATIONS.recallInstruction, body: McpRecallRequest });
