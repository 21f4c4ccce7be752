import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { ScheduleId } from '../../compiler/continuity/schema/schedule/item.ts';
import { byStatus, errorBody } from '../../compiler/schema/api/error-body.ts';
import { servedDocument } from '../operations/documents.ts';
import { memoized } from '../operations/memoized.ts';
import { errorsOf, type Access, type Contract } from '../operations/operation.ts';
import type { MediaType } from '../operations/result.ts';
import { API_VERSION } from '../operations/tables/tool-catalog.ts';
import RECORDED from './examples.json' with { type: 'json' };
import { OPERATIONS } from './operations.ts';

/** One call of an operation: what it was sent, and what it answered; null if it answers no content. */
export interface Example {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer: object | string | null;
}

/**
 * An example for each operation, recorded from a real server: `VADE_UPDATE_GOLDEN=1 npx vitest run
 * test/server/http/openapi-examples.test.ts` records them again. A new operation has none until then.
 */
export const EXAMPLES: Readonly<Partial<Record<keyof typeof OPERATIONS, Example>>> = RECORDED;

const JSON_TYPE = 'application/json';

/** The OpenAPI document of the operation table; deterministic. */
export const openApiDocument = memoized(() => servedDocument(JSON.stringify(openApi())));

function openApi() {
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Vademecum',
      version: API_VERSION,
      description:
        'Instructions for AI agents: boot stubs, manifests and recall. Every path with GET also answers HEAD; ' +
        'another method gets 405 `method_not_allowed` with `Allow`, another path 404 `route_not_found`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths: pathsOf(),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An opaque key from `vade key create`' },
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A token of the trust root’s control plane; a heartbeat takes its wake reason from it',
        },
      },
    },
  });
}

function pathsOf(): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [id, operation] of Object.entries<Contract>(OPERATIONS)) {
    (paths[operation.path] ??= {})[operation.method] = operationOf(id as keyof typeof OPERATIONS, operation);
  }
  return paths;
}

function operationOf(operationId: keyof typeof OPERATIONS, operation: Contract): ZodOpenApiOperationObject {
  const { summary, description, body, bodyMayBeAbsent, access } = operation;
  const example = EXAMPLES[operationId] ?? { answer: null };
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    security: SECURITY[access],
    requestParams: parametersOf(operation, example),
    responses: responsesOf(operation, example),
    ...(body && { requestBody: { required: bodyMayBeAbsent !== true, ...contentOf(JSON_TYPE, body, example.body) } }),
  };
}

function parametersOf({ path, query, headers }: Contract, example: Example) {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const parameters = z.object(Object.fromEntries(named.map((name) => [name, PARAMETERS[name]])));
  return {
    ...(named.length > 0 && { path: withExamples(parameters, example.path) }),
    ...(query && { query: withExamples(query, example.query) }),
    header: z.object({ ...REQUEST_HEADERS, ...(headers && withExamples(headers, example.headers).shape) }),
  };
}

/** The same parameters, each with its value in the example. */
function withExamples({ shape }: z.ZodObject, values: Example['query'] = {}): z.ZodObject {
  const shown = Object.entries(shape as Readonly<Record<string, z.ZodType>>).map(
    ([name, it]) => [name, it.meta({ ...it.meta(), param: { example: values[name] } })] as const,
  );
  return z.object(Object.fromEntries(shown));
}

const described = (description: string) => z.string().meta({ description });

const PARAMETERS: Readonly<Record<string, z.ZodType>> = {
  agent_id: described('An agent, by id or by short name'),
  schedule_id: ScheduleId.meta({ description: 'An item of the caller’s schedule' }),
  fact_uri: described('An `instruction:` URI of one version, percent-encoded'),
  unit: described('A unit, by name'),
  file_path: described('A file of the skill, relative to its folder'),
  handoff_id: described('The id of a handoff'),
  shared_id: described('The id of a shared artefact'),
  reconciliation_id: described('The id of a reconciliation'),
};

const REQUEST_HEADERS = {
  'X-Request-Id': z
    .string()
    .optional()
    .meta({ description: 'Used if well-formed, else replaced by a new one', param: { example: 'task-4711' } }),
  traceparent: z
    .string()
    .optional()
    .meta({
      description: 'W3C Trace Context',
      param: { example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    }),
};

const KNOWN = [{ key: [] }, { token: [] }];
const SECURITY: Readonly<Record<Access, Record<string, string[]>[]>> = {
  probe: [],
  anyone: [],
  scraper: [...KNOWN, {}],
  agents: KNOWN,
  admins: KNOWN,
};

/** The response headers. */
const EVERY_ANSWER = {
  'X-Request-Id': described('The request’s id in the log'),
  'X-Bundle-Revision': described('The revision of the bundle that answered'),
  'X-Bundle-Unversioned': z
    .literal('true')
    .optional()
    .meta({ description: '`vade dev`: no commit has the bundle that answered; absent otherwise' }),
  'Cache-Control': described('How clients may cache the answer'),
};
const LIMITED = {
  'RateLimit-Policy': described('The rate limit; absent if the operator set none'),
  RateLimit: described('Requests left, and seconds until the limit resets'),
};

type Responses = ZodOpenApiOperationObject['responses'];

/** The code by which the HTTP entry point refuses another site, or another host's name, before any operation. */
const OF_HTTP = 'origin_refused';

function responsesOf(operation: Contract, { answer }: Example): Responses {
  const { success, unready, access } = operation;
  const limited = access === 'probe' ? {} : LIMITED;
  const required = z.object(EVERY_ANSWER);
  const more = Object.entries(success.headers ?? {}).map(([name, it]) => [name, described(it)]);
  const etag = success.cached ? { ETag: described('Identifies the bytes') } : {};
  const answered = success.type === undefined ? {} : contentOf(success.type, success.schema ?? z.string(), answer);
  const headers = z.object({ ...required.shape, ...etag, ...Object.fromEntries(more), ...optional(limited) });
  const responses: NonNullable<Responses> = {};
  responses[`${success.status}`] = { description: success.description, headers, ...answered };
  if (success.created !== undefined) responses['201'] = { description: success.created, headers, ...answered };
  if (success.cached) responses['304'] = { description: 'Not modified since the ETag in `If-None-Match`', headers };
  if (unready) {
    const content = { 'application/json': { schema: unready.schema } };
    responses['503'] = { description: unready.description, headers: required, content };
  }
  for (const [status, codes] of byStatus([...errorsOf(operation), OF_HTTP])) {
    const errorHeaders = z.object({ ...required.shape, ...optional(limited), ...headersOf(status) });
    const content = { 'application/json': { schema: errorBody(codes) } };
    responses[`${status as 400}`] = { description: codes.join(', '), headers: errorHeaders, content };
  }
  return responses;
}

function headersOf(status: number) {
  if (status === 401) return { 'WWW-Authenticate': described('Bearer') };
  if (status === 405) return { Allow: described('The allowed methods') };
  return status === 429 ? { 'Retry-After': described('Seconds') } : {};
}

function contentOf(type: MediaType, schema: z.ZodType, example: unknown) {
  return { content: { [type]: { schema, example } } };
}

function optional(shape: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(shape).map(([name, it]) => [name, it.optional()]));
}
