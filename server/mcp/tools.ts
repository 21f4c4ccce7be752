import type { CallToolResult, McpServer, StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import {
  CLOSE_TOOL,
  RECALL_PURPOSE,
  RECALL_TOOL,
  recallToolSchema,
  toolSchema,
} from '../../compiler/schema/api/recall-tool.ts';
import { Outcome, RecallResponse } from '../../compiler/schema/api/recall.ts';
import { Closing } from '../../compiler/schema/audit/record.ts';
import type { AgentCaller, OwnOperation } from '../operations/own-operations.ts';
import { toolFailure } from './mcp-errors.ts';

/** A tool is an operation of the table, under a name that models know. */
interface Tool {
  readonly name: string;
  readonly description: string;
  readonly operation: OwnOperation;
  readonly query?: Readonly<Record<string, string>>;
  readonly input: Record<string, unknown>;
  readonly output: Record<string, unknown>;
  readonly annotations: ToolAnnotations;
}

/** Short, since every host pays for it in tokens; the whole shape is Explanation. */
const Explained = RecallResponse.extend({
  explain: z.looseObject({
    units: z.array(z.looseObject({ name: z.string(), outcome: Outcome, score: z.number() })),
  }),
});

/** It reads this bundle alone; what it adds is a row of the audit, which no agent can read. */
const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

const TOOLS: readonly Tool[] = [
  {
    name: RECALL_TOOL,
    description: `${RECALL_PURPOSE} Call it before any non-trivial task, and close the recall afterwards.`,
    operation: 'recallInstruction',
    input: recallToolSchema(),
    output: answerSchema(RecallResponse.omit({ explain: true })),
    annotations: { ...READS, title: 'Recall instructions' },
  },
  {
    name: 'explain_recall',
    description: 'Recall, with the scores of every unit and why it is in the answer or not. For debugging.',
    operation: 'recallInstruction',
    query: { explain: 'true' },
    input: recallToolSchema(),
    output: answerSchema(Explained),
    annotations: { ...READS, title: 'Explain a recall' },
  },
  {
    name: CLOSE_TOOL,
    description:
      'Report, once a task is done, which units of a recall you used (used_chunks) and what you needed and did not get (missed_chunks).',
    operation: 'closeRecall',
    input: toolSchema(Closing),
    output: answerSchema(z.strictObject({ closed: z.literal(true) })),
    annotations: {
      title: 'Close a recall',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
];

/** The JSON Schema of what a tool answers. */
function answerSchema(of: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(of);
  return schema;
}

/** Registers the tools for one caller. */
export function registerTools(server: McpServer, caller: AgentCaller): void {
  for (const tool of TOOLS) {
    const { name, description, annotations } = tool;
    const shapes = { inputSchema: unchecked(tool.input), outputSchema: unchecked(tool.output) };
    server.registerTool(name, { description, annotations, ...shapes }, (sent: unknown) => call(tool, caller, sent));
  }
}

async function call({ operation, query = {} }: Tool, caller: AgentCaller, body: unknown): Promise<CallToolResult> {
  try {
    const answer = (await caller.perform(operation, { query, body })) ?? { closed: true };
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    return toolFailure(error);
  }
}

/** A schema that is announced, and checked by the operation alone, so that a caller gets our codes over every transport. */
function unchecked(schema: Record<string, unknown>): StandardSchemaWithJSON {
  const json = () => schema;
  return {
    '~standard': {
      version: 1,
      vendor: 'vademecum',
      validate: (value) => ({ value }),
      jsonSchema: { input: json, output: json },
    },
  };
}
