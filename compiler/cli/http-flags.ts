import { VadeError } from '../schema/errors.ts';
import type { Arguments, Flags } from '../world/flags/flag.ts';
import { proxiesFrom } from '../world/proxies.ts';
import type { World } from '../world/world.ts';

/** The flag that names the proxies whose client addresses a server trusts. */
const TRUST_PROXY = {
  type: 'array',
  description: 'Proxy whose X-Forwarded-For is trusted: address, subnet, loopback; or the number of proxies',
} as const;

/** The names of a forwarded port. */
export const ALLOW_HOST = {
  'allow-host': {
    type: 'array',
    description: 'Host name of a forwarded port, besides localhost; may be repeated',
  },
} as const satisfies Flags;

/** The HTTP flags of a server. */
export const HTTP_FLAGS = {
  'rate-limit': {
    type: 'integer',
    default: 600,
    min: 0,
    max: 1_000_000,
    description: 'Requests per minute of one agent; administrators: ten times as many; 0: no limit',
  },
  'log-requests': { type: 'boolean', description: 'Log every request, not only failed and refused ones' },
  'log-intents': { type: 'boolean', description: 'With --log-requests: log the intent of each recall' },
  'metrics-open': { type: 'boolean', description: 'Serve /metrics without a key' },
  'trust-proxy': TRUST_PROXY,
  ...ALLOW_HOST,
} as const satisfies Flags;

type HttpFlags = Arguments<typeof HTTP_FLAGS>;

/** The HTTP options of a server; the environment configures tracing. @throws argument_invalid */
export function httpOptionsFrom(args: HttpFlags, { env }: World) {
  return {
    rateLimit: args['rate-limit'],
    logRequests: args['log-requests'],
    logIntents: args['log-intents'],
    metricsOpen: args['metrics-open'],
    trustProxy: proxiesFrom(args['trust-proxy']),
    allowHosts: hostsFrom(args['allow-host']),
    env,
  };
}

/** Host names, each with its port or without. @throws argument_invalid */
export function hostsFrom(names: readonly string[]): readonly string[] {
  const odd = names.find((it) => !/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:\d{1,5})?$/i.test(it));
  if (odd === undefined) return names;
  throw new VadeError('argument_invalid', `--allow-host takes a host name such as dev.example.com, not ${odd}`, {
    flag: 'allow-host',
  });
}
