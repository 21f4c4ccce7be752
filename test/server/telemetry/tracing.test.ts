import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

/** What a collector of OTLP over HTTP was sent. */
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
  let told: Span[];

  beforeAll(async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    const server = await running({ ...peers, surface: { env } });
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
    await server.recall('cto', 'cto', { intent: `${MARK} hand over` }, { headers });
    await server.ask('cto', 'GET', `/v1/agents/ct/boot-stub?profile=${MARK}`, {
      headers: { traceparent: `00-${MARK}` },
    });
    await server.close();
    told = spans();
  });

  test('a request is a span with its route, status and caller, and carries the caller’s trace on', () => {
    const span = told.find((it) => it.name === 'POST /v1/agents/{agent_id}/recall-instruction');
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    const attributes = Object.fromEntries(span?.attributes.map((it) => [it.key, Object.values(it.value)[0]]) ?? []);
    expect(attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/agents/{agent_id}/recall-instruction',
      'http.response.status_code': 200,
      'vademecum.caller': expect.stringMatching(/^key:/) as string,
    });
  });

  test('recall, encoding and the audit row are spans inside it', () => {
    const parentOf = (name: string) => {
      const { parentSpanId } = told.find((it) => it.name === name) ?? {};
      return told.find((it) => it.spanId === parentSpanId)?.name;
    };
    expect(parentOf('recall')).toBe('POST /v1/agents/{agent_id}/recall-instruction');
    expect([parentOf('encode'), parentOf('audit.append')]).toEqual(['recall', 'recall']);
  });

  test('a refusal says so, and a traceparent that is none begins a new trace', () => {
    const span = told.find((it) => it.name === 'GET /v1/agents/{agent_id}/boot-stub');
    expect(span?.traceId).not.toBe(TRACE);
    expect(JSON.stringify(span?.attributes)).toContain('instruction_scope_denied');
  });

  test('no intent, key or query is told', () => {
    expect(received.join('')).not.toMatch(new RegExp(`${MARK}|vade_`));
  });

  test('name the service', () => {
    expect(received[0]).toContain('{"key":"service.name","value":{"stringValue":"vademecum"}}');
  });

  test('a collector that is not there holds up neither an answer nor the end', async () => {
    const server = await running({ ...peers, surface: { env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } } });
    expect((await server.recall('cto', 'cto', { intent: 'hand over' })).status).toBe(200);
    await server.close();
  });

  test('are not kept unless the environment names a collector', async () => {
    const before = received.length;
    const server = await running({ ...peers, surface: { env: {} } });
    await server.recall('cto', 'cto', { intent: 'hand over' });
    await server.close();
    expect(received.length).toBe(before);
  });
});
