import type * as OpenTelemetry from '@opentelemetry/api';
import type { Context, Span, SpanContext, Tracer } from '@opentelemetry/api';
import type { WorkSpan } from '../operations/call.ts';

/** What a request's span says once it has ended; never an intent, a key or a path. */
interface SpanResult {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string | null;
  /** The caller, by the name that limits and logs know it by. */
  readonly caller: string | null;
}

/** A request that is being traced. */
export interface TraceSpan extends WorkSpan {
  readonly end: (told: SpanResult) => void;
}

/** Traces of OpenTelemetry, sent to a collector over OTLP. */
export interface Tracing {
  /** @param traceparent the header, as it came: a trace that the caller began is carried on */
  readonly begin: (traceparent: string | undefined) => TraceSpan;
  /** Sends what waits. */
  readonly end: () => Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Api = typeof OpenTelemetry;

/** A collector that takes longer is not waited for. */
const COLLECTOR_MS = 3000;

/** Tracing, where the environment names a collector; nothing of it is loaded otherwise. */
export async function openTracing(env: Environment): Promise<Tracing | null> {
  const url = endpointOf(env);
  if (url === null) return null;
  const api = await import('@opentelemetry/api');
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { defaultResource, resourceFromAttributes } = await import('@opentelemetry/resources');
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: COLLECTOR_MS });
  const name = { 'service.name': env['OTEL_SERVICE_NAME'] ?? 'vademecum' };
  const provider = new NodeTracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(name)),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: COLLECTOR_MS })],
  });
  // not registered for the whole process: two servers in one do not share their traces
  const tracer = provider.getTracer('vademecum');
  return {
    begin: (traceparent) => {
      const remote = parentOf(traceparent, api);
      const parent = remote ? api.trace.setSpanContext(api.ROOT_CONTEXT, remote) : api.ROOT_CONTEXT;
      return spanOf(tracer.startSpan('request', { kind: api.SpanKind.SERVER }, parent), tracer, api);
    },
    // traces that nobody takes are not worth an end that never comes
    end: () => provider.shutdown().catch(() => undefined),
  };
}

/** The specification of OTLP: the traces' own endpoint as it is, else the common one with the path of traces. */
function endpointOf(env: Environment): string | null {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? '';
  if (own !== '') return own;
  const common = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  return common === '' ? null : `${common.replace(/\/$/, '')}/v1/traces`;
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** W3C Trace Context; untrusted input, and null for what is none. */
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
        // what was thrown may quote what was asked
        inner.setStatus(failed);
        throw error;
      } finally {
        inner.end();
      }
    },
    end: ({ method, route, status, code, caller }) => {
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status });
      if (code !== null) span.setAttribute('error.type', code);
      if (caller !== null) span.setAttribute('vademecum.caller', caller);
      if (status >= 500) span.setStatus(failed);
      span.end();
    },
  };
}
