import { memoized } from '../operations/memoized.ts';
import type { Operation } from '../operations/operation.ts';
import { OWN_OPERATIONS } from '../operations/tables/agent-caller.ts';
import { STORE_OPERATIONS } from '../operations/tables/store-operations.ts';
import { rawInputOf, toolEntry } from '../operations/tables/tool-catalog.ts';
import { CHANGES, READS, type Tool } from './register-tools.ts';

/**
 * Every operation that an agent may perform, with the schemas of `GET /v1/discovery/tools`: the specification of
 * continuity has it so, at `POST /v1/mcp`. Made at the first use: the schemas are large, and the same for all callers.
 */
export const fullTools = memoized((keepsCapsules: boolean): readonly Tool[] => {
  const table: Readonly<Record<string, Operation>> = { ...OWN_OPERATIONS, ...(keepsCapsules && STORE_OPERATIONS) };
  return Object.entries(table).flatMap(([id, it]) => (it.access === 'agents' ? [fullTool(id, it)] : []));
});

function fullTool(id: string, operation: Operation): Tool {
  const { name, summary, input_schema, output_schema } = toolEntry(id, operation);
  return {
    name,
    description: [summary, operation.description].filter((it) => it !== undefined).join('. '),
    input: input_schema,
    // a document is served as its bytes, and an answer without content as its meaning
    ...(output_schema !== null && !operation.success.cached && { output: output_schema }),
    annotations: operation.effect === 'read' ? READS : { ...CHANGES, destructiveHint: operation.effect === 'write' },
    answer: async (caller, given) =>
      (await caller.run(operation, rawInputOf(operation, given))) ?? operation.success.description,
  };
}
