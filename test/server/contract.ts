import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { errorBody } from '../../compiler/schema/api/error-body.ts';
import { openApiDocument } from '../../server/http/openapi.ts';

/** An answer, as a client gets it; header names in lower case. */
export interface ReceivedAnswer {
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
  // a URI or a path at the end may have its slashes as they are
  pattern: new RegExp(
    `^${template
      .replaceAll('.', '\\.')
      .replace(/\{\w+_(?:uri|path)\}$/, '.+')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  ),
}));

/** The answers to methods and paths that are not in the document; `Allow`, a denial or a limit come first. */
const OUTSIDE = z.toJSONSchema(
  errorBody([
    ...(['method_not_allowed', 'route_not_found', 'unauthenticated', 'rate_limited', 'request_invalid'] as const),
    ...(['instruction_scope_denied', 'recall_backend_unavailable', 'origin_refused'] as const),
  ]),
);

/** Throws unless the OpenAPI document declares the answer for its request. */
export function assertContract(method: string, url: string, answer: ReceivedAnswer): void {
  const problems = problemsOf(method, pathOf(url), answer);
  if (problems.length === 0) return;
  const { status, text } = answer;
  throw new Error(
    `${method} ${url} answers ${status}, against the contract: ${problems.join('; ')}\n${text.slice(0, 500)}`,
  );
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/s, '');
}

/** Readers of the bare address are led to the page; no operation is there. */
function isRedirect(method: string, path: string, { status, headers }: ReceivedAnswer): boolean {
  return path === '/' && ['GET', 'HEAD'].includes(method) && status === 302 && headers['location'] === '/ui';
}

function problemsOf(method: string, path: string, answer: ReceivedAnswer): string[] {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = paths.find((it) => it.pattern.test(path))?.operations[verb];
  const common = ['x-request-id', 'x-bundle-revision', 'cache-control', 'x-content-type-options'];
  const missing = common.filter((name) => answer.headers[name] === undefined).map((it) => `no ${it}`);
  if (!operation) return [...missing, ...(isRedirect(method, path, answer) ? [] : problemsOutside(method, answer))];
  const declared = operation.responses[`${answer.status}`];
  if (!declared) return [`${operation.operationId} does not declare ${answer.status}`];
  const headers = Object.entries(declared.headers ?? {}).filter(([, it]) => it.required);
  const absent = headers.filter(([name]) => answer.headers[name.toLowerCase()] === undefined).map(([it]) => `no ${it}`);
  const known = new Set(Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase()));
  const ours = Object.keys(answer.headers).filter((name) => name.startsWith('x-bundle-'));
  return [
    ...missing,
    ...absent,
    ...ours.filter((name) => !known.has(name)).map((name) => `${name} is not declared`),
    ...problemsOfBody(method, declared, answer, `${operation.operationId} ${answer.status}`),
  ];
}

function problemsOutside(method: string, { status, headers, text }: ReceivedAnswer): string[] {
  if (method === 'HEAD') return text === '' ? [] : ['HEAD with a body'];
  const problems = problemsOfSchema('outside', OUTSIDE, text);
  if (status === 405 && headers['allow'] === undefined) problems.push('no allow');
  return problems;
}

function problemsOfBody(
  method: string,
  { content }: DeclaredResponse,
  { headers, text }: ReceivedAnswer,
  name: string,
): string[] {
  if (method === 'HEAD' || content === undefined) return text === '' ? [] : ['an undeclared body'];
  const type = headers['content-type']?.replace(/;.*$/s, '') ?? '';
  const declared = content[type];
  if (!declared) return [`content type ${type} is not declared`];
  return type === 'application/json' ? problemsOfSchema(name, declared.schema, text) : [];
}

const compiled = new Map<string, ValidateFunction>();

function problemsOfSchema(name: string, schema: object, text: string): string[] {
  const validate = compiled.get(name) ?? ajv.compile(withAbsoluteRefs(schema));
  compiled.set(name, validate);
  try {
    if (validate(JSON.parse(text))) return [];
  } catch {
    return ['no JSON'];
  }
  return (validate.errors ?? []).map((it) => `${it.instancePath} ${it.message ?? ''} ${JSON.stringify(it.params)}`);
}

/** Makes the references of a schema absolute, because it is compiled outside the document. */
function withAbsoluteRefs(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as object;
}
