import { ProtocolError, ProtocolErrorCode, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { startText } from '../../compiler/continuity/fit-startup.ts';
import type { ReadAnswer } from '../../compiler/continuity/schema/reading/read.ts';
import { UNTIMED_HELP } from '../../compiler/continuity/schema/upsert-help.ts';
import { schemaOutline } from '../../compiler/schema/api/announced-schema.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { memoized } from '../operations/memoized.ts';
import type { Operation } from '../operations/operation.ts';
import type { AgentCaller } from '../operations/tables/agent-caller.ts';
import { STORE_OPERATIONS } from '../operations/tables/store-operations.ts';
import { rawInputOf, toolEntry, toolName } from '../operations/tables/tool-catalog.ts';
import { CHANGES, READS, type Tool } from './register-tools.ts';
import { FILLED, fillTimes } from './store-times.ts';

type Id = keyof typeof STORE_OPERATIONS;

/** Operations that an agent performs on its store every day: each is a tool of its own. */
const EVERYDAY: readonly Id[] = [
  'readCapsule',
  'listCapsules',
  'retrieveContext',
  'upsertCapsule',
  'patchCapsule',
  'createHandoff',
  'createScheduleItem',
];

/** The tool that performs all other operations: each of its own would cost every host some two hundred tokens. */
const GENERIC = 'continuity';

/** The address of the full schemas of a tool. */
const schemaUri = (name: string) => `vade://tools/${name}`;

/** The operations on a store by the names of their tools. */
const STORE_BY_NAME: ReadonlyMap<string, readonly [id: string, operation: Operation]> = new Map(
  Object.entries(STORE_OPERATIONS).map(([id, it]) => [toolName(id), [id, it as Operation] as const]),
);

/** A tool of its own: an outline of its input is enough for a model, and errors say the rest. */
function everydayTool(id: Id): Tool {
  const operation: Operation = STORE_OPERATIONS[id];
  const { name, summary, input_schema } = toolEntry(id, operation);
  const help = id === 'upsertCapsule' ? UNTIMED_HELP : operation.description;
  return {
    name,
    description: [summary, help, `Full schema: ${schemaUri(name)}`].filter(Boolean).join('. '),
    input: schemaOutline(input_schema, FILLED),
    annotations: operation.effect === 'read' ? READS : CHANGES,
    answer: (caller, given) => answered(caller, id, operation, given),
  };
}

/** The answer of an operation, as one text; a start as the hook of a host prints it. Untrusted input. */
async function answered(caller: AgentCaller, id: string, operation: Operation, given: unknown): Promise<string> {
  const { input, warnings } = fillTimes(id, given, caller.now());
  const answer = await caller.run(operation, rawInputOf(operation, input));
  if (id === 'readCapsule' && (given as { view?: unknown }).view === 'startup') {
    const text = startText(answer as ReadAnswer);
    if (text !== null) return text;
  }
  if (warnings.length === 0) return JSON.stringify(answer);
  const { recovery_warnings: told = [] } = answer as { readonly recovery_warnings?: readonly string[] };
  return JSON.stringify({ ...(answer as object), recovery_warnings: [...told, ...warnings] });
}

/** @param names of the operations without a tool of their own */
function genericTool(names: readonly string[]): Tool {
  return {
    name: GENERIC,
    description:
      'Any other operation on what you keep and what you share with agents; resource ' +
      `${schemaUri('<operation>')} has the schema of its input.`,
    input: {
      type: 'object',
      properties: { operation: { enum: names }, input: { type: 'object' } },
      required: ['operation'],
    },
    annotations: CHANGES,
    answer: (caller, given) => {
      const { operation: name, input = {} } = (given ?? {}) as { operation?: unknown; input?: unknown };
      const [id, operation] = (typeof name === 'string' ? STORE_BY_NAME.get(name) : undefined) ?? [];
      if (operation !== undefined && id !== undefined) return answered(caller, id, operation, input);
      throw new VadeError('request_invalid', `operation: one of ${names.join(', ')}`);
    },
  };
}

/** The store of an agent in few tools, made at the first use. All that is answered is data that agents wrote. */
export const storeTools = memoized((): readonly Tool[] => {
  const everyday = EVERYDAY.map(everydayTool);
  const others = [...STORE_BY_NAME.keys()].filter((name) => everyday.every((it) => it.name !== name));
  return [...everyday, genericTool(others)];
});

const TYPE = 'application/json';

/** Serves the full schemas of the operations on a store, of which tools tell the outline alone. */
export function registerToolSchemas(server: McpServer): void {
  const resources = [...STORE_BY_NAME].map(([name, [, { summary }]]) => ({
    name,
    description: summary,
    uri: schemaUri(name),
    mimeType: TYPE,
  }));
  const template = new ResourceTemplate(schemaUri('{name}'), { list: () => ({ resources }) });
  const about = { mimeType: TYPE, description: 'The JSON Schemas of a tool: of its input, and of its answer' };
  server.registerResource('tool', template, about, ({ href }, { name = '' }) => {
    const found = STORE_BY_NAME.get(String(name));
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no tool has the schema ${href}`);
    return { contents: [{ uri: href, mimeType: TYPE, text: JSON.stringify(toolEntry(...found)) }] };
  });
}
