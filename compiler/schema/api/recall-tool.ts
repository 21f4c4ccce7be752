import { z } from 'zod';
import { RecallRequest } from './recall.ts';

/** The tool that a boot stub announces and MCP offers. */
export const RECALL_TOOL = 'recall_instruction';

/** The tool that closes a recall over MCP (§21.5.2). */
export const CLOSE_TOOL = 'close_recall';

export const RECALL_PURPOSE = 'Load the instructions for what you are about to do.';

/** The JSON Schema of the recall tool (§21.1.1), derived from the schema that checks the request. */
export function recallToolSchema(): Record<string, unknown> {
  return toolSchema(RecallRequest);
}

/** The JSON Schema of what a tool is given, without members that only cost tokens. */
export function toolSchema(of: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(of, { io: 'input' });
  return schema;
}
