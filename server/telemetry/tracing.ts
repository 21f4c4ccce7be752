import { randomUUID } from 'node:crypto';
import type * as OpenTelemetry from '@opentelemetry/api';
import type { Context, Span, SpanContext, Tracer } from '@opentelemetry/api';
import { VERSION } from '../../compiler/io/files/version.ts';
import type { WorkSpan } from '../operations/call.ts';

/** Attributes of a finished request's span; never an intent, a key or a path. */
interface SpanResult {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string | null;
  /** The caller, as in rate limits and logs. */
  readonly caller: string | null;
}

/** The span of a request. */
export interface TraceSpan extends WorkSpan {
  readonly end: (result: SpanResult) => void;
}

/** OpenTelemetry traces, sent to a collector over OTLP. */
export interface Tracing {
  /** @param traceparent the raw header: continues the caller's trace */
  readonly begin: (traceparent: string | undefined) => TraceSpan;
  /** Flushes pending spans. */
  readonly end: () => Promise<void>;
}

type Api = typeof OpenTelemetry;

/** Export timeout. */
const COLLECTOR_MS = 3000;

/** Opens tracing if the environment names a collector; loads no library otherwise. */
export async function openTracing(env: NodeJS.ProcessEnv): Promise<Tracing | null> {
  const url = endpointOf(env);
  if (url === null) return null;
  const api = await import('@opentelemetry/api');
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { defaultResource, resourceFromAttributes } = await import('@opentelemetry/resources');
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: COLLECTOR_MS });
  const service = {
    'service.name': env['OTEL_SERVICE_NAME'] ?? 'vademecum',
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
  };
  const provider = new NodeTracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(service)),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: COLLECTOR_MS })],
  });
  // not registered globally: two servers in one process do not share traces
  const tracer = provider.getTracer('vademecum');
  return {
    begin: (traceparent) => {
      const remote = parentOf(traceparent, api);
      const parent = remote ? api.trace.setSpanContext(api.ROOT_CONTEXT, remote) : api.ROOT_CONTEXT;
      return spanOf(tracer.startSpan('request', { kind: api.SpanKind.SERVER }, parent), tracer, api);
    },
    // a failed flush must not block the shutdown
    end: () => provider.shutdown().catch(() => undefined),
  };
}

/** As OTLP specifies: the traces endpoint as given, else the common endpoint with `/v1/traces`. */
function endpointOf(env: NodeJS.ProcessEnv): string | null {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? '';
  if (own !== '') return own;
  const common = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  return common === '' ? null : `${common.replace(/\/$/, '')}/v1/traces`;
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** Parses W3C Trace Context from untrusted input; null if malformed. */
function parentOf(traceparent: string | undefined, api: Api): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent?.slice(0, 200) ?? '') ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return api.isSpanContextValid(context) && !traceparent?.startsWith('ff') ? context : null;
}

function spanOf(span: Span, tracer: Tracer, api: Api): TraceSpan {
  const inside: Context = api.trace.setSpan(api.ROOT_CONTEXT, span);
  const failed = { code: api.SpanStatusCode.ERROR };
  return {
    within: async (name, work) => {
      const inner = tracer.startSpan(name, {}, inside);
      try {
        return await work(spanOf(inner, tracer, api));
      } catch (error) {
        // an error message may quote the intent
        inner.setStatus(failed);
        throw error;
      } finally {
        inner.end();
      }
    },
    end: ({ method, route, status, code, caller }) => {
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        // the server itself speaks plain HTTP
        'url.scheme': 'http',
      });
      if (code !== null) span.setAttribute('error.type', code);
      if (caller !== null) span.setAttribute('vademecum.caller', caller);
      if (status >= 500) span.setStatus(failed);
      span.end();
    },
  };
}
