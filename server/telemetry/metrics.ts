import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { AuditKind } from '../../compiler/schema/audit/record.ts';
import { WARNINGS } from '../../compiler/schema/errors.ts';
import type { Counting } from '../operations/call.ts';
import { watchGauges, type GaugeSources } from './gauges.ts';
import type { FinishedRequest } from './request-context.ts';

/** Metrics for operators. No label names an agent, and no label contains what a caller sends. */
export interface Metrics extends Counting {
  readonly ended: (ended: FinishedRequest) => void;
  /** The text format of Prometheus, with its content type. */
  readonly scrape: () => Promise<{ readonly text: string; readonly type: string }>;
}

/** Seconds: a recall takes a few milliseconds, a publication minutes. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function createMetrics(sources: GaugeSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  watchGauges(registry, sources);
  const counters = createCounters(registry);
  // counters start at 0, so that the first event shows as an increase
  for (const warning of WARNINGS) counters.warnings.inc({ warning }, 0);
  for (const kind of AuditKind.options) counters.answers.inc({ kind }, 0);
  return {
    ended: countRequest(registry, counters),
    answered: (kind, { truncated, warnings }) => {
      counters.answers.inc({ kind });
      if (truncated === true) counters.truncated.inc();
      for (const warning of warnings) counters.warnings.inc({ warning });
    },
    aborted: () => {
      counters.aborted.inc();
    },
    closed: ({ missed_chunks, nothing_fits }) => {
      counters.closings.inc();
      if (missed_chunks.length > 0 || nothing_fits) counters.missed.inc();
    },
    storeCall: (operation, refusal) => {
      counters.storeCalls.inc({ operation, code: refusal ?? 'ok' });
    },
    warned: (warning) => {
      counters.warnings.inc({ warning });
    },
    scrape: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  };
}

type Counters = ReturnType<typeof createCounters>;

function createCounters(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name: `vade_${name}_total`, help, registers, labelNames });
  return {
    answers: counter('answers', 'Answered recalls and heartbeats', ['kind']),
    warnings: counter('warnings', 'Warnings in answers, by code', ['warning']),
    storeCalls: counter('continuity_calls', 'Calls of known callers about their stores', ['operation', 'code']),
    truncated: counter('recall_truncated', 'Recalls that omitted a matching unit for lack of budget'),
    aborted: counter('heartbeats_aborted', 'Heartbeats that ended in an error'),
    closings: counter('closings', 'Recalls closed by their agents'),
    missed: counter('recall_missed', 'Closings that named missing units, or that nothing fitted'),
    unauthenticated: counter('authentication_failures', 'Requests with an invalid key or token'),
    denied: counter('denials', 'Requests denied by authorisation'),
    limited: counter('rate_limited', 'Requests beyond a rate limit'),
    requests: counter('http_requests', 'Requests', ['method', 'route', 'status', 'code']),
  };
}

/** Counts requests by route and outcome, and measures their duration. */
function countRequest(registry: Registry, counters: Counters): (ended: FinishedRequest) => void {
  const seconds = new Histogram({
    name: 'vade_http_request_duration_seconds',
    help: 'Time to answer a request',
    registers: [registry],
    labelNames: ['method', 'route'] as const,
    buckets: BUCKETS,
  });
  return ({ method, route, status, code, milliseconds }) => {
    counters.requests.inc({ method, route, status, code: code ?? (status === 499 ? 'aborted' : 'ok') });
    seconds.observe({ method, route }, milliseconds / 1000);
    if (status === 401) counters.unauthenticated.inc();
    else if (status === 403) counters.denied.inc();
    else if (status === 429) counters.limited.inc();
  };
}
