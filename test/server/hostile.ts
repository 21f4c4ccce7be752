import fc from 'fast-check';
import { OPENAPI } from './contract.ts';
import { fromEntries, key, text, value } from './nasty.ts';

/** A request of an attacker or a broken client. */
export interface HostileRequest {
  readonly method: string;
  /** With its query, as it goes over the wire. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** A body with correct, wrong and unknown properties. */
export function nearly(right: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  const members = Object.entries(right).map(([name, it]) =>
    fc.oneof(
      fc.constant([[name, it]]),
      fc.constant([]),
      value.map((wrong) => [[name, wrong]]),
    ),
  );
  const more = fc.array(fc.tuple(key, value), { maxLength: 2 });
  return fc.tuple(more, ...members).map((lists) => fromEntries(lists.flat() as [string, unknown][]));
}

const RIGHT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  recallInstruction: { intent: 'hand over', max_chunks: 3, token_budget: 2000, manifest_hint: ['incident'] },
  closeRecall: { audit_token: 'audi_01', used_chunks: ['incident'], missed_chunks: [] },
  heartbeat: { profile: 'generic' },
  publishManifest: { version: 'v2', entries: [], skip_coverage_gate: true },
};

const deep = fc.integer({ min: 1, max: 60_000 }).map((depth) => '['.repeat(depth));
const broken = fc.constantFrom('{', '{"intent":', '\ufeff{}', 'null', '"x"', '[]', '{"intent":"\\ud800"}', '\xff\xfe');

/** A body of a request: nearly right, broken, or of any bytes. */
export function bodyOf(operation: string): fc.Arbitrary<Buffer> {
  const right = RIGHT[operation] ?? {};
  return fc.oneof(
    { weight: 5, arbitrary: nearly(right).map((it) => Buffer.from(JSON.stringify(it))) },
    { weight: 1, arbitrary: fc.oneof(deep, broken).map((it) => Buffer.from(it)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((it) => Buffer.from(it)) },
    { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 80_000 }).map((n) => Buffer.alloc(n, 'x')) },
  );
}

/** Valid and invalid segments of a request path. */
export const segment = fc.oneof(
  fc.constantFrom(
    'cto',
    'cto2',
    'ct',
    'nobody',
    '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9',
    'instruction:acme%2Fheartbeat%2Fv1',
  ),
  text.map((it) => encodeURIComponent(it.toWellFormed())),
  fc.constantFrom(...'% %ZZ %00 .. . %2e%2e %c0%ae ;a=b * a%2Fb %ff ~ @ :id {agent_id}'.split(' ')),
);

/** A query, with its question mark. */
export const query = fc.oneof(
  fc.constant(''),
  fc.constantFrom(
    ...'?explain=true ?profile=generic ?limit=1 ?limit=-1 ?limit=1&limit=2 ?before=1e99 ? ?a[b]=c'.split(' '),
  ),
  fc.array(fc.tuple(text, text), { maxLength: 3 }).map((pairs) => {
    const encode = (it: string) => encodeURIComponent(it.toWellFormed());
    return `?${pairs.map(([name, it]) => `${encode(name)}=${encode(it)}`).join('&')}`;
  }),
);

const headerValue = fc.oneof(
  fc.constantFrom('application/json', 'text/plain', 'application/json; charset=utf-16', 'multipart/form-data', '*/*'),
  fc.constantFrom(...'gzip br deflate identity chunked 100-continue bytes=0-1 "x" * -1 close'.split(' ')),
  text.map((it) => it.replace(/[^\x20-\x7e\x80-\xff]/g, '').slice(0, 2000)),
);

const header = fc.tuple(
  fc.constantFrom(
    ...'Host Content-Type Content-Encoding Accept If-None-Match X-Heartbeat-Id X-Request-Id Range Origin X-HTTP-Method-Override X-Forwarded-For X-Wake-Reason traceparent Expect TE Cookie Forwarded'.split(
      ' ',
    ),
  ),
  headerValue,
);

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'];

/** Every operation of the OpenAPI document. */
export const operations = Object.entries(OPENAPI.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ path, method: method.toUpperCase(), operationId })),
);

/** Makes counterexamples readable. */
export function legible(request: HostileRequest): HostileRequest {
  const { method, path, headers, body } = request;
  const shown = body.subarray(0, 300).toString('latin1');
  const summary = `${method} ${path} ${JSON.stringify(headers)} ${body.length} bytes: ${JSON.stringify(shown)}`;
  return Object.defineProperty(request, fc.toStringMethod, { value: () => summary });
}

/** Requests to every operation of the OpenAPI document, with errors of all kinds. */
export const hostileRequest = hostileRequestOf(operations, bodyOf, segment, () => query);

type Operation = (typeof operations)[number];

/**
 * Requests to some operations, nearly right and wrong.
 *
 * @param segments what a path names
 */
export function hostileRequestOf(
  among: readonly Operation[],
  bodies: (operation: string) => fc.Arbitrary<Buffer>,
  segments: fc.Arbitrary<string>,
  queries: (operation: string) => fc.Arbitrary<string>,
): fc.Arbitrary<HostileRequest> {
  return fc.constantFrom(...among).chain((operation) => hostile(operation, bodies, segments, queries));
}

function hostile(
  operation: Operation,
  bodies: (operation: string) => fc.Arbitrary<Buffer>,
  segments: fc.Arbitrary<string>,
  queries: (operation: string) => fc.Arbitrary<string>,
): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      method: fc.oneof(
        { weight: 6, arbitrary: fc.constant(operation.method) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      path: fc.oneof(
        {
          weight: 8,
          arbitrary: fc
            .tuple(segments, queries(operation.operationId))
            .map(([it, more]) => operation.path.replace(/\{\w+\}/, it) + more),
        },
        { weight: 1, arbitrary: fc.array(segment, { maxLength: 6 }).map((it) => `/${it.join('/')}`) },
      ),
      headers: fc
        .array(header, { maxLength: 3 })
        .map((more) => [['Content-Type', 'application/json'] as const, ...more]),
      body: bodies(operation.operationId),
    })
    .map(legible);
}

/** Almost valid HTTP. */
export const hostileBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 400 }).map((it) => Buffer.from(it)),
  fc
    .tuple(
      fc.constantFrom(...METHODS, 'get', 'G\0T', ''),
      segment,
      fc.constantFrom('1.1', '1.0', '2.0', '9.9', ''),
      text,
      text,
    )
    .map(([method, path, version, name, it]) =>
      Buffer.from(
        `${method} /${path} HTTP/${version}\r\nHost: 127.0.0.1\r\n${name}: ${it}\r\nConnection: close\r\n\r\n`,
        'latin1',
      ),
    ),
);
