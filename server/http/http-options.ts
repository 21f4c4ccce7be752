import type { ConnectionLimits } from './connections.ts';

/** HTTP options; an absent option has its default. */
export interface HttpOptions {
  /** Requests per minute for one agent's key; 0 for no limit. */
  readonly rateLimit?: number | undefined;
  /** A log line for each request. */
  readonly logRequests?: boolean | undefined;
  /** Also logs the intent of each recall. */
  readonly logIntents?: boolean | undefined;
  /** Serves metrics without a key. */
  readonly metricsOpen?: boolean | undefined;
  /** Trusted proxies for `X-Forwarded-For`, by address or by count. Default: none. */
  readonly trustProxy?: number | readonly string[] | undefined;
  /** Names by which this machine may be asked for, besides its own; with a port or without. Default: none. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly connections?: ConnectionLimits | undefined;
  /** `OTEL_*` variables configure the trace exporter; no tracing without them. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Whether clients come through a proxy; the command line names none by an empty list. */
export function hasProxy({ trustProxy = 0 }: Pick<HttpOptions, 'trustProxy'>): boolean {
  return typeof trustProxy === 'number' ? trustProxy > 0 : trustProxy.length > 0;
}
