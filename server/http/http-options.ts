import type { ConnectionLimits } from './connections.ts';

/** How the HTTP surface is set up; what is left out is at its default. */
export interface HttpOptions {
  /** Requests a minute of one agent's key; 0 for no limit. */
  readonly rateLimit?: number | undefined;
  /** A log line for each request. */
  readonly logRequests?: boolean | undefined;
  /** And the intent of each recall in it. */
  readonly logIntents?: boolean | undefined;
  /** Metrics without a key. */
  readonly metricsOpen?: boolean | undefined;
  /** Whose `X-Forwarded-For` is believed, or how many proxies stand in front; nobody's unless said. */
  readonly trustProxy?: number | readonly string[] | undefined;
  readonly connections?: ConnectionLimits | undefined;
  /** Says where traces are sent to; where it does not, none are kept. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** What of a server's options concerns its surface. */
export function httpOptionsOf(options: HttpOptions): HttpOptions {
  const { rateLimit, logRequests, logIntents, metricsOpen, trustProxy, connections, env } = options;
  return { rateLimit, logRequests, logIntents, metricsOpen, trustProxy, connections, env };
}
