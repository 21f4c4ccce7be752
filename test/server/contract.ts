import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { errorBody } from '../../compiler/schema/api/error-body.ts';
import { openApiDocument } from '../../server/http/openapi.ts';

/** An answer, as a client gets it; header names in lower case. */
export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface DeclaredResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface DeclaredOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DeclaredResponse>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DeclaredOperation>>>>;
  readonly components: object;
}

export const OPENAPI = JSON.parse(String(openApiDocument().body)) as OpenApi;

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'openapi', ...OPENAPI });

const paths = Object.entries(OPENAPI.paths).map(([template, operations]) => ({
  template,
  operations,
  pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** What is answered to a method or a path that the document has not; `Allow`, a denial or a limit come first. */
const OUTSIDE = z.toJSONSchema(
  errorBody([
    ...(['method_not_allowed', 'route_not_found', 'unauthenticated', 'rate_limited', 'request_invalid'] as const),
    ...(['instruction_scope_denied', 'recall_backend_unavailable'] as const),
  ]),
);

/** Fails unless an answer is one that the OpenAPI document declares for what was asked. */
export function assertContract(method: string, url: string, told: Told): void {
  const faults = faultsOf(method, pathOf(url), told);
  if (faults.length === 0) return;
  const { status, text } = told;
  throw new Error(
    `${method} ${url} answers ${status}, against the contract: ${faults.join('; ')}\n${text.slice(0, 500)}`,
  );
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/s, '');
}

function faultsOf(method: string, path: string, told: Told): string[] {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = paths.find((it) => it.pattern.test(path))?.operations[verb];
  const common = ['x-request-id', 'x-bundle-revision', 'cache-control', 'x-content-type-options'];
  const missing = common.filter((name) => told.headers[name] === undefined).map((it) => `no ${it}`);
  if (!operation) return [...missing, ...outsideFaults(method, told)];
  const declared = operation.responses[`${told.status}`];
  if (!declared) return [`${operation.operationId} does not declare ${told.status}`];
  const headers = Object.entries(declared.headers ?? {}).filter(([, it]) => it.required);
  const absent = headers.filter(([name]) => told.headers[name.toLowerCase()] === undefined).map(([it]) => `no ${it}`);
  return [...missing, ...absent, ...bodyFaults(method, declared, told, `${operation.operationId} ${told.status}`)];
}

function outsideFaults(method: string, { status, headers, text }: Told): string[] {
  if (method === 'HEAD') return text === '' ? [] : ['HEAD with a body'];
  const faults = schemaFaults('outside', OUTSIDE, text);
  if (status === 405 && headers['allow'] === undefined) faults.push('no allow');
  return faults;
}

function bodyFaults(method: string, { content }: DeclaredResponse, { headers, text }: Told, name: string): string[] {
  if (method === 'HEAD' || content === undefined) return text === '' ? [] : ['a body where none is declared'];
  const type = headers['content-type']?.replace(/;.*$/s, '') ?? '';
  const declared = content[type];
  if (!declared) return [`content type ${type} is not declared`];
  return type === 'application/json' ? schemaFaults(name, declared.schema, text) : [];
}

const compiled = new Map<string, ValidateFunction>();

function schemaFaults(name: string, schema: object, text: string): string[] {
  const validate = compiled.get(name) ?? ajv.compile(rooted(schema));
  compiled.set(name, validate);
  try {
    if (validate(JSON.parse(text))) return [];
  } catch {
    return ['no JSON'];
  }
  return (validate.errors ?? []).map((it) => `${it.instancePath} ${it.message ?? ''} ${JSON.stringify(it.params)}`);
}

/** References of the document, seen from a schema that was taken out of it. */
function rooted(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as object;
}
