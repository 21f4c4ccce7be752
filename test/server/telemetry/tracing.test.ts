import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../../compiler/io/files/version.ts';
import { compiledPeers, type CompiledPeers } from '../deployment.ts';
import { running } from '../running.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** The requests that an OTLP collector received. */
const received: string[] = [];
let collector: Server;
let endpoint: string;
let peers: CompiledPeers;

beforeAll(async () => {
  peers = await compiledPeers();
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') received.push(Buffer.concat(chunks).toString('utf8'));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});

afterAll(() => collector.close());

const spans = () =>
  received.flatMap((it) =>
    (JSON.parse(it) as Export).resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)),
  );

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const MARK = 'xmarkx';

describe('OpenTelemetry traces', () => {
  let exported: Span[];

  beforeAll(async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    const server = await running({ ...peers, http: { env } });
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
    await server.recall('cto', 'cto', { intent: `${MARK} hand over` }, { headers });
    await server.ask('cto', 'GET', `/v1/agents/ct/boot-stub?profile=${MARK}`, {
      headers: { traceparent: `00-${MARK}` },
    });
    await server.close();
    exported = spans();
  });

  test('a request is a span with its route, status and caller, in the caller’s trace', () => {
    const span = exported.find((it) => it.name === 'POST /v1/agents/{agent_id}/recall-instruction');
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    const attributes = Object.fromEntries(span?.attributes.map((it) => [it.key, Object.values(it.value)[0]]) ?? []);
    expect(attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/agents/{agent_id}/recall-instruction',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'vademecum.caller': expect.stringMatching(/^key:/) as string,
    });
  });

  test('the process says its version, and has an id of its own', () => {
    const resources = received.flatMap((it) => (JSON.parse(it) as Export).resourceSpans.map((one) => one.resource));
    const of = (key: string) => resources.map((it) => it.attributes.find((one) => one.key === key)?.value);
    expect(of('service.version')).toEqual(resources.map(() => ({ stringValue: VERSION })));
    expect(JSON.stringify(of('service.instance.id')[0])).toMatch(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
  });

  test('recall, encoding and the audit row are inner spans of a request', () => {
    const parentOf = (name: string) => {
      const { parentSpanId } = exported.find((it) => it.name === name) ?? {};
      return exported.find((it) => it.spanId === parentSpanId)?.name;
    };
    expect(parentOf('recall')).toBe('POST /v1/agents/{agent_id}/recall-instruction');
    expect([parentOf('encode'), parentOf('audit.append')]).toEqual(['recall', 'recall']);
  });

  test('the span of a refusal has its error code, and a malformed traceparent begins a new trace', () => {
    const span = exported.find((it) => it.name === 'GET /v1/agents/{agent_id}/boot-stub');
    expect(span?.traceId).not.toBe(TRACE);
    expect(JSON.stringify(span?.attributes)).toContain('instruction_scope_denied');
  });

  test('spans contain no intent, key or query', () => {
    expect(received.join('')).not.toMatch(new RegExp(`${MARK}|vade_`));
  });

  test('spans name the service', () => {
    expect(received[0]).toContain('{"key":"service.name","value":{"stringValue":"vademecum"}}');
  });

  test('an unreachable collector delays neither an answer nor the shutdown', async () => {
    const server = await running({ ...peers, http: { env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } } });
    expect((await server.recall('cto', 'cto', { intent: 'hand over' })).status).toBe(200);
    await server.close();
  });

  test('without a collector in the environment there are no traces', async () => {
    const before = received.length;
    const server = await running({ ...peers, http: { env: {} } });
    await server.recall('cto', 'cto', { intent: 'hand over' });
    await server.close();
    expect(received.length).toBe(before);
  });
});
