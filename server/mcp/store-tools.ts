import { ProtocolError, ProtocolErrorCode, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { VadeError } from '../../compiler/schema/errors.ts';
import { memoized } from '../operations/memoized.ts';
import type { Operation } from '../operations/operation.ts';
import { STORE_OPERATIONS } from '../operations/tables/store-operations.ts';
import { rawInputOf, toolEntry, toolName } from '../operations/tables/tool-catalog.ts';
import { CHANGES, READS, type Tool } from './register-tools.ts';

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
  return {
    name,
    description: [summary, operation.description, `Full schema: ${schemaUri(name)}`].filter(Boolean).join('. '),
    input: schemaOutline(input_schema),
    annotations: operation.effect === 'read' ? READS : CHANGES,
    answer: (caller, given) => caller.run(operation, rawInputOf(operation, given)),
  };
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
      const [, operation] = (typeof name === 'string' ? STORE_BY_NAME.get(name) : undefined) ?? [];
      if (operation !== undefined) return caller.run(operation, rawInputOf(operation, input));
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

type Schema = Readonly<Record<string, unknown>>;

/**
 * A JSON Schema without its limits: names, types, words, and required members. Below its first level only required
 * members are named. A model that reads it can write a valid call, and pays a tenth of the tokens.
 */
function schemaOutline(schema: Schema, isWhole = true): Schema {
  const choices = schema['anyOf'];
  if (Array.isArray(choices)) return outlineOfChoice(choices as Schema[], isWhole);
  if (Array.isArray(schema['enum'])) return { enum: schema['enum'] };
  if (schema['const'] !== undefined) return { const: schema['const'] };
  if (schema['type'] === 'array') return outlineOfList(schema['items'] as Schema | undefined);
  if (schema['type'] === 'object') return outlineOfObject(schema, isWhole);
  return schema['type'] === undefined ? {} : { type: schema['type'] };
}

/** "Or null" says nothing that leaving it out does not say. */
function outlineOfChoice(choices: readonly Schema[], isWhole: boolean): Schema {
  const [first, ...others] = choices.filter((it) => it['type'] !== 'null');
  return first !== undefined && others.length === 0 ? schemaOutline(first, isWhole) : {};
}

/** The outline of a list: of a list of texts only that it is a list; of one of objects the outline of each. */
function outlineOfList(items: Schema | undefined): Schema {
  return { type: 'array', ...(items?.['type'] === 'object' && { items: schemaOutline(items) }) };
}

function outlineOfObject({ properties = {}, required = [] }: Schema, isWhole: boolean): Schema {
  const needed = new Set(required as readonly string[]);
  const named = Object.entries(properties as Readonly<Record<string, Schema>>);
  const told = named.filter(([name]) => isWhole || needed.has(name));
  return {
    type: 'object',
    ...(told.length > 0 && {
      properties: Object.fromEntries(told.map(([name, it]) => [name, schemaOutline(it, false)])),
    }),
    ...(needed.size > 0 && { required: [...needed] }),
  };
}

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
