import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { byStatus, errorBody } from '../../compiler/schema/api/error-body.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { API_VERSION } from '../operations/api-version.ts';
import type { ServedDocument } from '../operations/documents.ts';
import { errorsOf, type Access, type Contract } from '../operations/operation.ts';
import { OPERATIONS } from './operations.ts';

let cached: ServedDocument | undefined;

/** The OpenAPI document of the operation table; deterministic. */
export function openApiDocument(): ServedDocument {
  if (cached) return cached;
  const body = JSON.stringify(openApi());
  cached = { body, etag: `"${sha256(body)}"`, headers: {} };
  return cached;
}

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
    paths: pathsOf(Object.entries(OPERATIONS)),
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

function pathsOf(operations: readonly (readonly [string, Contract])[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [id, operation] of operations) {
    (paths[operation.path] ??= {})[operation.method] = operationOf(id, operation);
  }
  return paths;
}

function operationOf(operationId: string, operation: Contract): ZodOpenApiOperationObject {
  const { summary, path, query, headers, body, bodyMayBeAbsent, access } = operation;
  const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const requestParams = {
    ...(named.length > 0 && { path: z.object(Object.fromEntries(named.map((name) => [name, PARAMETERS[name]]))) }),
    ...(query && { query }),
    header: z.object({ ...REQUEST_HEADERS, ...headers?.shape }),
  };
  return {
    operationId,
    summary,
    security: SECURITY[access],
    requestParams,
    responses: responsesOf(operation),
    ...(body && {
      requestBody: { required: bodyMayBeAbsent !== true, content: { 'application/json': { schema: body } } },
    }),
  };
}

const PARAMETERS: Readonly<Record<string, z.ZodType>> = {
  agent_id: z.string().meta({ description: 'An agent, by id or by short name' }),
  fact_uri: z.string().meta({ description: 'An `instruction:` URI of one version, percent-encoded' }),
};

const REQUEST_HEADERS = {
  'X-Request-Id': z.string().optional().meta({ description: 'Used if well-formed, else replaced by a new one' }),
  traceparent: z.string().optional().meta({ description: 'W3C Trace Context' }),
};

const KNOWN = [{ key: [] }, { token: [] }];
const SECURITY: Readonly<Record<Access, Record<string, string[]>[]>> = {
  probe: [],
  anyone: [],
  scraper: [...KNOWN, {}],
  agents: KNOWN,
  admins: KNOWN,
};

/** Descriptions of the response headers. */
const described = (description: string) => z.string().meta({ description });
const EVERY_ANSWER = {
  'X-Request-Id': described('The request’s id in the log'),
  'X-Bundle-Revision': described('The revision of the bundle that answered'),
  'Cache-Control': described('How clients may cache the answer'),
};
const LIMITED = {
  'RateLimit-Policy': described('The rate limit; absent if the operator set none'),
  RateLimit: described('Requests left, and seconds until the limit resets'),
};

type Responses = ZodOpenApiOperationObject['responses'];

function responsesOf(operation: Contract): Responses {
  const { success, unready, access } = operation;
  const limited = access === 'probe' ? {} : LIMITED;
  const required = z.object(EVERY_ANSWER);
  const more = Object.entries(success.headers ?? {}).map(([name, it]) => [name, described(it)]);
  const etag = success.cached ? { ETag: described('Identifies the bytes') } : {};
  const headers = z.object({ ...required.shape, ...etag, ...Object.fromEntries(more), ...optional(limited) });
  const responses: NonNullable<Responses> = {};
  responses[`${success.status}`] = { description: success.description, headers, ...contentOf(success) };
  if (success.cached) responses['304'] = { description: 'Not modified since the ETag in `If-None-Match`', headers };
  if (unready) {
    const content = { 'application/json': { schema: unready.schema } };
    responses['503'] = { description: unready.description, headers: required, content };
  }
  for (const [status, codes] of byStatus(errorsOf(operation))) {
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

function contentOf({ type, schema }: Contract['success']) {
  return type === undefined ? {} : { content: { [type]: { schema: schema ?? z.string() } } };
}

function optional(shape: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(shape).map(([name, it]) => [name, it.optional()]));
}
