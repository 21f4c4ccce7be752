import { resolve } from 'node:path';
import { auditPlaceFrom } from '../world/audit-place.ts';
import { bundlePlaceFrom } from '../world/bundle-place.ts';
import { requireLoopback } from '../world/loopback.ts';
import { hubOf } from '../world/model-hub.ts';
import { proxiesFrom } from '../world/proxies.ts';
import { pinnedRoot } from '../world/trust-keys.ts';
import type { World } from '../world/world.ts';
import type { BundleOptions } from './options.ts';
import { silentWorld, trustOf } from './silent-world.ts';

export interface ServerOptions extends BundleOptions {
  /** Folder of the bundle, or its `https:` address. Default: `bundle`. */
  readonly bundle?: string;
  /** Folder for what is downloaded from an address. Default: `.vade/bundles`. */
  readonly cache?: string;
  /** Default: `127.0.0.1`; `dev` allows only loopback. */
  readonly host?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Bearer keys, as `vade key` writes them. Default: `keys.json`. */
  readonly keys?: string;
  /** SQLite file of the audit, or `postgres://…`. Default: `audit.db`. */
  readonly audit?: string;
  /** Start of the names of its spool and keys. Default: the file, or `audit`. */
  readonly state?: string;
  /** Whether the audit keeps intents, or digests of them. Default: `full`. */
  readonly intents?: 'full' | 'digest';
  /** Serve nothing without a valid freshness statement. Default: false. */
  readonly failStale?: boolean;
  /** Requests a minute of one agent; 0 for no limit. Default: 600. */
  readonly rateLimit?: number;
  /** Proxies with a trusted `X-Forwarded-For`: addresses, subnets, `loopback`; or their number alone. Default: none. */
  readonly trustProxy?: readonly string[];
  /** Names by which a port that is forwarded to this machine is asked for, besides `localhost`. Default: none. */
  readonly allowHosts?: readonly string[];
  /** Takes each line of the log, as JSON. Default: standard error. */
  readonly log?: { readonly write: (line: string) => void };
}

export interface VadeServer {
  readonly url: string;
  /** The bundle that was in force at the start; a newer one is taken over by itself. */
  readonly revision: string;
  readonly gardens: number;
  /** Finishes open requests, stores the audit, and stops. */
  readonly close: () => Promise<void>;
}

/**
 * Serves a bundle over HTTP, as `vade serve` does; resolves once it listens. `env` may hold `VADE_AUDIT_KEY` and
 * `VADE_CHECKPOINT_KEY` too. It handles no signals: call `close`.
 *
 * @throws VadeError such as `bundle_not_found`, `bundle_unverified`, `address_in_use`, `argument_invalid`,
 *   `audit_unavailable`
 */
export async function createServer(options: ServerOptions): Promise<VadeServer> {
  const world = silentWorld(options);
  const { bundle = 'bundle', cache = '.vade/bundles', host = '127.0.0.1', port = 0, keys = 'keys.json' } = options;
  const flags = trustOf(options);
  requireLoopback({ dev: flags.dev, host });
  const pinned = pinnedRoot(flags, world);
  const place = await bundlePlaceFrom({ bundle, cache }, pinned, world);
  const { startServer } = await import('../../server/main.ts');
  return startServer({
    ...{ host, port, pinned, ...place, ...auditing(options, world), ...(await logging(options)) },
    keys: resolve(world.cwd, keys),
    models: resolve(world.cwd, options.models ?? 'models'),
    hub: hubOf(world),
    failStale: options.failStale ?? false,
    rateLimit: options.rateLimit,
    trustProxy: proxiesFrom(options.trustProxy ?? []),
    allowHosts: options.allowHosts,
    env: world.env,
    development: flags.dev,
    now: () => world.now().getTime(),
  });
}

function auditing({ audit = 'audit.db', state, intents = 'full' }: ServerOptions, world: World) {
  const { VADE_AUDIT_KEY: auditKey, VADE_CHECKPOINT_KEY: checkpointKey } = world.env;
  return { ...auditPlaceFrom({ audit, state }, world), intents, auditKey, checkpointKey };
}

async function logging({ log }: ServerOptions) {
  if (log === undefined) return {};
  const { pino } = await import('pino');
  return { log: pino({ base: null }, log) };
}
