import type { CallToolResult, McpServer, StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import type { AgentCaller } from '../operations/tables/agent-caller.ts';
import { toolFailure } from './mcp-errors.ts';

/** A tool is an operation of the table, under a name that models know. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its input. */
  readonly input: Record<string, unknown>;
  /** The JSON Schema of its answer; without one a host takes the answer as it is. */
  readonly output?: Record<string, unknown>;
  readonly annotations: ToolAnnotations;
  /** Whether a failure is one line of text for a model: its code and its message. */
  readonly isBrief?: boolean;
  /** @throws what its operation throws */
  readonly answer: (caller: AgentCaller, given: unknown) => Promise<unknown>;
}

/** It only reads, from this bundle or the agent's own store. It adds a row to the audit, which no agent can read. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** It changes nothing but what is the agent's own. */
export const CHANGES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

/** Registers tools for one caller. */
export function registerTools(server: McpServer, caller: AgentCaller, tools: readonly Tool[]): void {
  for (const tool of tools) {
    const { name, description, annotations, input, output } = tool;
    const shapes = { inputSchema: unchecked(input), ...(output && { outputSchema: unchecked(output) }) };
    server.registerTool(name, { description, annotations, ...shapes }, (sent: unknown) => call(tool, caller, sent));
  }
}

async function call({ answer, isBrief = false }: Tool, caller: AgentCaller, given: unknown): Promise<CallToolResult> {
  try {
    return resultOf(await answer(caller, given));
  } catch (error) {
    return toolFailure(error, isBrief);
  }
}

/** A text alone is content alone: structured content is an object. */
function resultOf(answer: unknown): CallToolResult {
  if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }] };
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
}

/** A schema that is only announced. The operation checks it, so a caller gets our codes over every transport. */
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
