import type { World } from '../app/world/world.ts';
import { proxiesFrom, TRUST_PROXY } from './proxies.ts';
import type { Flags } from './registry.ts';

/** How a server meets the network, and what it tells of itself. */
export const HTTP_FLAGS = {
  'rate-limit': {
    type: 'integer',
    default: 600,
    min: 0,
    max: 1_000_000,
    description: 'Requests a minute of one agent; administrators ten times as many; 0 for no limit',
  },
  'log-requests': { type: 'boolean', description: 'Log a line for each request, not for failures and refusals alone' },
  'log-intents': { type: 'boolean', description: 'And the intent of each recall in it' },
  'metrics-open': { type: 'boolean', description: 'Answer /metrics without any key' },
  'trust-proxy': TRUST_PROXY,
} as const satisfies Flags;

interface HttpFlags {
  readonly 'rate-limit': number;
  readonly 'log-requests': boolean;
  readonly 'log-intents': boolean;
  readonly 'metrics-open': boolean;
  readonly 'trust-proxy': readonly string[];
}

/** The flags as a server takes them; traces are sent where the environment says. @throws argument_invalid */
export function httpOptionsFrom(args: HttpFlags, { env }: World) {
  return {
    rateLimit: args['rate-limit'],
    logRequests: args['log-requests'],
    logIntents: args['log-intents'],
    metricsOpen: args['metrics-open'],
    trustProxy: proxiesFrom(args['trust-proxy']),
    env,
  };
}
