import type { z } from 'zod';
import { announcedSchema, schemaOutline } from './announced-schema.ts';
import { RecallRequest } from './recall.ts';

/** The tool that a boot stub announces and MCP offers. */
export const RECALL_TOOL = 'recall_instruction';

/** The tool that closes a recall over MCP (§21.5.2). */
export const CLOSE_TOOL = 'close_recall';

export const RECALL_PURPOSE = 'Load the instructions for what you are about to do.';

/** Instructions for using an answer; a model chooses better from descriptions than any ranking does. */
export const CHOOSING =
  'Use a chunk that fits; else choose from `candidates` and recall by that name (`manifest_hint`, `follows`: the ' +
  '`audit_token`); else close with `nothing_fits: true`.';

/**
 * A recall as boot stubs define it, whose tokens every agent pays for at each start: without `files`, which a host
 * sends that knows them.
 */
export const StubRecall = RecallRequest.omit({ files: true });

/** The JSON Schema of the recall tool (§21.1.1), derived from the schema that checks the request. */
export function recallToolSchema(): Record<string, unknown> {
  return announcedSchema(StubRecall, 'input');
}

/** The same for a text that a model pays for: errors name the limits, and null is the same as absent. */
export function toolOutline(of: z.ZodType): Record<string, unknown> {
  return schemaOutline(announcedSchema(of, 'input'));
}
