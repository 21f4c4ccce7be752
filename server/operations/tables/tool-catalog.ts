import type { z } from 'zod';
import { announcedSchema } from '../../../compiler/schema/api/announced-schema.ts';
import type { Endpoint, EndpointMap, ToolCatalog, ToolEntry } from '../../../compiler/schema/api/discovery.ts';
import type { Need } from '../../auth/permits.ts';
import type { Contract } from '../operation.ts';
import type { RawInput } from '../perform.ts';

type Table = Readonly<Record<string, Contract & { readonly needs?: Need }>>;
type JsonSchema = Record<string, unknown>;

/** The version of the API in OpenAPI and in the catalogues; `serverInfo` of MCP has the program's. */
export const API_VERSION = '1.0.0';

/** "GET /v1/discovery/tools, which returns full JSON schemas for every endpoint". */
export function toolCatalog(table: Table): ToolCatalog {
  const tools = Object.entries(table).map(([id, it]) => toolEntry(id, it));
  return { ok: true, version: API_VERSION, count: tools.length, tools };
}

/** `GET /v1/manifest`: every operation, and its place. */
export function endpointMap(table: Table, keepsCapsules: boolean): EndpointMap {
  const endpoints = Object.entries(table).map(([id, it]) => endpointOf(id, it));
  const mcp = { curated: '/mcp', full: '/v1/mcp' } as const;
  return { ok: true, version: API_VERSION, keeps_capsules: keepsCapsules, mcp, count: endpoints.length, endpoints };
}

/** The name of an operation as a tool: `recallInstruction` is `recall_instruction`. */
export function toolName(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** An operation with the schemas of its input and its answer. */
export function toolEntry(id: string, operation: Table[string]): ToolEntry {
  const { schema } = operation.success;
  return {
    ...endpointOf(id, operation),
    input_schema: inputSchema(operation),
    output_schema: schema ? objectSchema(schema, 'output') : null,
  };
}

function endpointOf(id: string, { summary, method, path, access, effect, needs }: Table[string]): Endpoint {
  return {
    name: toolName(id),
    operation: id,
    summary,
    method: method.toUpperCase() as Endpoint['method'],
    path,
    access,
    effect,
    scope: needs?.scope ?? null,
    namespace: needs?.namespace ?? null,
  };
}

/** Path, query and body as one object: a test checks that their members have different names. */
function inputSchema({ path, access, query, body }: Table[string]): JsonSchema {
  const said = [query, body].filter((it) => it !== undefined).map((it) => objectSchema(it, 'input'));
  const parts = [pathSchema(path, access), ...said];
  return {
    ...(Object.assign({}, ...parts) as JsonSchema),
    type: 'object',
    properties: Object.assign({}, ...parts.map((it) => it['properties'] ?? {})) as JsonSchema,
    required: parts.flatMap((it) => (it['required'] as string[] | undefined) ?? []),
    additionalProperties: false,
  };
}

const PLACEHOLDER = /\{(\w+)\}/g;

/** An agent names itself by its key, so over MCP it need not say who it is. */
function pathSchema(path: string, access: Contract['access']): JsonSchema {
  const names = placeholdersIn(path);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { properties, required: names.filter((name) => name !== 'agent_id' || access !== 'agents') };
}

function placeholdersIn(path: string): string[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** The JSON Schema of an object; every input and every JSON answer is one. */
function objectSchema(of: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return { type: 'object', ...announcedSchema(of, io) };
}

/**
 * The request that HTTP would have for one object about an operation. Parameters of a URL are texts.
 *
 * @param given untrusted
 */
export function rawInputOf({ path, query, body }: Contract, given: unknown): Pick<RawInput, 'path' | 'query' | 'body'> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { path: {}, query: {}, body: given };
  const inPath = new Set(placeholdersIn(path));
  const inQuery = new Set(Object.keys(query?.shape ?? {}));
  const members = Object.entries(given as Readonly<Record<string, unknown>>);
  const isBody = ([name]: [string, unknown]) => !inPath.has(name) && !inQuery.has(name);
  return {
    path: Object.fromEntries(members.filter(([name]) => inPath.has(name)).map(([name, it]) => [name, asText(it)])),
    query: Object.fromEntries(
      members.filter((it) => (body ? inQuery.has(it[0]) : !inPath.has(it[0]))).map(([name, it]) => [name, textOf(it)]),
    ),
    body: body ? Object.fromEntries(members.filter(isBody)) : undefined,
  };
}

/** A number or a truth value as a URL has it; other values stay, and are refused. */
function textOf(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** A name in a path is a text, whatever it contains: any other value names nothing. */
function asText(value: unknown): string {
  const text = textOf(value);
  return typeof text === 'string' ? text : '';
}
