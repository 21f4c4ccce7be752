import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { messageOf, VadeError } from '../compiler/schema/errors.ts';
import type { TrustRoot } from '../compiler/schema/source/trust-root.ts';
import { withDevelopmentPlane } from '../compiler/trust/development-plane.ts';
import { freeSpaceOf } from './audit/free-space.ts';
import { stateOf, tokenKeys } from './audit/open.ts';
import { keepPrivate } from './audit/private-files.ts';
import { authenticator } from './auth/authenticate.ts';
import { openKeyring } from './auth/keyring.ts';
import type { ContinuityOptions } from './continuity/continuity.ts';
import { createApp } from './http/app.ts';
import { limitConnections } from './http/connections.ts';
import type { HttpOptions } from './http/http-options.ts';
import { createShutdown } from './http/shutdown.ts';
import type { PrintBrief, Publish } from './operations/call.ts';
import { oneAtATime } from './operations/publish.ts';
import { readiness } from './operations/readiness.ts';
import { openBundles, type BundleOptions } from './rollout/bundles.ts';
import { previousBundles } from './rollout/previous-bundle.ts';
import type { OpenRollout } from './rollout/rollout.ts';
import { openServices, type KeyedAudit } from './services.ts';
import { stderrLog } from './telemetry/stderr-log.ts';
import { openTracing } from './telemetry/tracing.ts';

export interface ServerOptions extends KeyedAudit, BundleOptions, HttpOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Requests are still accepted until it resolves, once shutdown begins. Default: at once. */
  readonly drain?: () => Promise<unknown>;
  readonly keys: string;
  /** Whether tokens of `vade key heartbeat` wake agents, under a development root alone. */
  readonly development?: boolean;
  /** The folder of the agents' capsules; without it they are not kept. */
  readonly continuity?: ContinuityOptions | undefined;
  /** Publishes manifests (§21.8.3); without it they are published only by merging. */
  readonly publish?: Publish;
  /** Prints briefs for administrators, as prompts of MCP; without it there are none. */
  readonly briefs?: PrintBrief;
  readonly log?: Logger;
  /** Logs only warnings and errors, for a server that a person watches. */
  readonly quiet?: boolean;
}

export interface RunningServer {
  readonly url: string;
  readonly revision: string;
  /** Number of served gardens. */
  readonly gardens: number;
  /** Finishes open requests, then shuts down. */
  readonly close: () => Promise<void>;
}

/** Maximum time of open requests after connections are refused. */
const GRACE_MS = 5000;

/**
 * Verifies the bundle, opens the audit and listens.
 *
 * @throws bundle_not_found, bundle_unverified, model_unavailable, address_in_use, output_failed
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const log = options.log ?? stderrLog(options);
  prepareKeys(options, log);
  const shutdown = createShutdown({ drain: options.drain ?? (() => Promise.resolve()), graceMs: GRACE_MS });
  const bundles = await openBundles(options, { log, state: stateOf(options), isEnding: shutdown.isEnding });
  const { rollout } = bundles;
  const { services, keyring, tracing, end: endStores } = await openStores(options, log);
  const app = createApp({
    ...services,
    rollout,
    log,
    authenticator: authenticator(keyring, { trust: trustOfCallers(rollout, options), now: options.now }),
    options,
    briefs: options.briefs,
    tracing,
    machine: { keysReadable: keyring.isReadable, freeBytes: () => freeSpaceOf(stateOf(options)) },
  });
  const revision = () => ({ 'X-Bundle-Revision': rollout.current().gardens.bundle.revision });
  const server = limitConnections(app, revision, options.connections);
  shutdown.watch(server);
  const end = async () => {
    bundles.end();
    await endStores();
  };
  await listenOr(end, server, options);
  bundles.begin(services.audit);
  const announced = announce(urlOf(server), rollout, log);
  const close = async () => {
    await shutdown.end(server);
    await end();
    log.info('ended in order');
  };
  return { url: urlOf(server), ...announced, close };
}

/** The trust root in force, which callers are judged by. */
function trustOfCallers(rollout: OpenRollout, { development = false }: ServerOptions): () => TrustRoot {
  const served = () => rollout.current().gardens.bundle.trust;
  return development ? withDevelopmentPlane(served) : served;
}

function openKeys(path: string, log: Logger): ReturnType<typeof openKeyring> {
  return openKeyring(path, (error) => {
    log.error({ reason: messageOf(error) }, 'the key file cannot be read; the last keys stay in force');
  });
}

/** The stores that a server writes to, and the keys that it reads. @throws output_failed */
async function openStores(options: ServerOptions, log: Logger) {
  const { continuity, now, pinned, publish } = options;
  const { services, end: endServices } = await openServices(
    { audit: options, continuity, now, log: () => log },
    { previousBundle: previousBundles(pinned), publish: publish ? oneAtATime(publish) : null },
  );
  const keyring = openKeys(options.keys, log);
  const tracing = await openTracing(options.env ?? {});
  const end = async () => {
    keyring.end();
    await endServices();
    await tracing?.end();
  };
  return { services, keyring, tracing, end };
}

/** Logs what is served from now on. */
function announce(url: string, rollout: OpenRollout, log: Logger) {
  const { bundle_revision, held, withdrawn, withdrawals } = readiness(rollout);
  log.info({ url, bundle_revision, held, withdrawn, withdrawals }, 'ready');
  return { revision: bundle_revision, gardens: rollout.current().gardens.bundle.root.predicate.gardens.length };
}

/** Makes files of keys private; a missing key ends the start before a bundle is fetched. @throws argument_invalid */
function prepareKeys(options: ServerOptions, log: Logger): void {
  keepPrivate({ audit: options.audit, state: stateOf(options) }, log);
  tokenKeys(options);
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Listens, or ends what was opened for it. @throws address_in_use */
async function listenOr(end: () => Promise<void>, server: Server, { host, port }: ServerOptions): Promise<void> {
  try {
    await listen(server, host, port);
  } catch (error) {
    await end();
    throw error;
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      reject(taken ? new VadeError('address_in_use', `${host}:${port} cannot be bound: ${error.code ?? ''}`) : error);
    });
    server.listen(port, host, resolve);
  });
}
