import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { AuditKind } from '../../compiler/schema/audit/record.ts';
import { WARNINGS } from '../../compiler/schema/errors.ts';
import type { Counting } from '../operations/call.ts';
import { watchGauges, type Watched } from './gauges.ts';
import type { Ended } from './request-context.ts';

/** What an operator sees from outside. No label names an agent, and none is made of what a caller sends. */
export interface Metrics extends Counting {
  readonly ended: (ended: Ended) => void;
  /** The text format of Prometheus, with its content type. */
  readonly scrape: () => Promise<{ readonly text: string; readonly type: string }>;
}

/** Seconds: a recall takes a few milliseconds, a publication minutes. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function openMetrics(watched: Watched): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  watchGauges(registry, watched);
  const counters = openCounters(registry);
  // what did not happen yet is told as 0, so that its first time shows as a rise
  for (const warning of WARNINGS) counters.warnings.inc({ warning }, 0);
  for (const kind of AuditKind.options) counters.answers.inc({ kind }, 0);
  return {
    ended: countExchange(registry, counters),
    answered: (kind, { truncated, warnings }) => {
      counters.answers.inc({ kind });
      if (truncated === true) counters.truncated.inc();
      for (const warning of warnings) counters.warnings.inc({ warning });
    },
    aborted: () => {
      counters.aborted.inc();
    },
    closed: ({ missed_chunks }) => {
      counters.closings.inc();
      if (missed_chunks.length > 0) counters.missed.inc();
    },
    scrape: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  };
}

type Counters = ReturnType<typeof openCounters>;

function openCounters(registry: Registry) {
  const registers = [registry];
  const counter = (name: string, help: string) => new Counter({ name: `vade_${name}_total`, help, registers });
  return {
    answers: new Counter({
      name: 'vade_answers_total',
      help: 'Recalls and heartbeats that were answered',
      registers,
      labelNames: ['kind'] as const,
    }),
    warnings: new Counter({
      name: 'vade_warnings_total',
      help: 'Warnings that answers carried, by code',
      registers,
      labelNames: ['warning'] as const,
    }),
    truncated: counter('recall_truncated', 'Recalls from which a matching unit was left out for want of budget'),
    aborted: counter('heartbeats_aborted', 'Heartbeats that ended in an error, which are no answers'),
    closings: counter('closings', 'Recalls that their agents closed'),
    missed: counter('recall_missed', 'Closings that named units the agent would have needed'),
    unauthenticated: counter('authentication_failures', 'Requests whose key or token opened nothing'),
    denied: counter('denials', 'Requests for more than their caller may have'),
    limited: counter('rate_limited', 'Requests beyond a rate limit'),
  };
}

/** Requests by what they asked and got, and how long they took. */
function countExchange(registry: Registry, counters: Counters): (ended: Ended) => void {
  const requests = new Counter({
    name: 'vade_http_requests_total',
    help: 'Requests',
    registers: [registry],
    labelNames: ['method', 'route', 'status', 'code'] as const,
  });
  const seconds = new Histogram({
    name: 'vade_http_request_duration_seconds',
    help: 'Time to answer a request',
    registers: [registry],
    labelNames: ['method', 'route'] as const,
    buckets: BUCKETS,
  });
  return ({ method, route, status, code, milliseconds }) => {
    requests.inc({ method, route, status, code: code ?? (status === 499 ? 'aborted' : 'ok') });
    seconds.observe({ method, route }, milliseconds / 1000);
    if (status === 401) counters.unauthenticated.inc();
    else if (status === 403) counters.denied.inc();
    else if (status === 429) counters.limited.inc();
  };
}
