import { VadeError } from '../../compiler/schema/errors.ts';
import { memoized } from '../operations/memoized.ts';
import type { Operation } from '../operations/operation.ts';
import { STORE_OPERATIONS } from '../operations/tables/store-operations.ts';
import { rawInputOf, toolEntry, toolName } from '../operations/tables/tool-catalog.ts';
import { CHANGES, READS, type Tool } from './register-tools.ts';
import { schemaOutline } from './schema-outline.ts';

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
export const schemaUri = (name: string) => `vade://tools/${name}`;

/** The operations on a store by the names of their tools. */
export const STORE_BY_NAME: ReadonlyMap<string, readonly [id: string, operation: Operation]> = new Map(
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
