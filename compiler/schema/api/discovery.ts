import { z } from 'zod';

/** A JSON Schema, of draft 2020-12. */
const JsonSchema = z.record(z.string(), z.unknown());

/** One operation, as a client finds it without reading its schemas. */
export const Endpoint = z.strictObject({
  /** As MCP calls it. */
  name: z.string(),
  /** As the OpenAPI document calls it. */
  operation: z.string(),
  summary: z.string(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH']),
  path: z.string(),
  access: z.enum(['probe', 'anyone', 'scraper', 'agents', 'admins']),
  effect: z.enum(['read', 'append', 'write']),
  /** The scope that a limited key needs; null where no key is limited by it. */
  scope: z.string().nullable(),
  namespace: z.string().nullable(),
});

/** `GET /v1/manifest`: "the endpoint map with method and path metadata". */
export const EndpointMap = z.strictObject({
  ok: z.literal(true),
  version: z.string(),
  /** Whether this server keeps stores of agents; without it operations on a store answer `continuity_disabled`. */
  keeps_capsules: z.boolean(),
  /** Paths of MCP: few tools that cost few tokens, and all of them with their full schemas. */
  mcp: z.strictObject({ curated: z.literal('/mcp'), full: z.literal('/v1/mcp') }),
  count: z.int(),
  endpoints: z.array(Endpoint),
});

/** An operation with its schemas; a path, a query and a body are the members of one object. */
export const ToolEntry = Endpoint.extend({
  input_schema: JsonSchema,
  /** Null for an answer that is not JSON. */
  output_schema: JsonSchema.nullable(),
});

/** `GET /v1/discovery/tools`: "full JSON schemas for every endpoint". */
export const ToolCatalog = z.strictObject({
  ok: z.literal(true),
  version: z.string(),
  count: z.int(),
  tools: z.array(ToolEntry),
});

export type Endpoint = z.infer<typeof Endpoint>;
export type EndpointMap = z.infer<typeof EndpointMap>;
export type ToolEntry = z.infer<typeof ToolEntry>;
export type ToolCatalog = z.infer<typeof ToolCatalog>;
