import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino, type Logger } from 'pino';
import { ulid } from 'ulid';
import { allowedRollbacks } from '../compiler/edge/beside.ts';
import { openBundle, type OpenBundle } from '../compiler/edge/bundle.ts';
import { openQueries, type HubSource } from '../compiler/edge/encoder.ts';
import { messageOf, VadeError } from '../compiler/model/errors.ts';
import { refuse } from '../compiler/model/refusal.ts';
import type { SealedRoot } from '../compiler/trust/chain.ts';
import { createApp } from './app.ts';
import { authenticator } from './identity.ts';
import { openGardens, type Gardens } from './gardens.ts';
import { openKeyring } from './keys.ts';
import { openSqliteAudit } from './store/sqlite.ts';
import { oneAtATime, type Publish } from './publish.ts';
import { assertNewest } from './seen.ts';
import { auditTokens } from './token.ts';
import { watchBeside, type Watch } from './watch.ts';

export interface ServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly bundle: string;
  readonly pinned: SealedRoot;
  readonly audit: string;
  readonly keys: string;
  readonly models: string;
  /** Where models come from that are not in `models` yet. */
  readonly hub?: HubSource;
  /** `VADE_AUDIT_KEY`; without it a key is kept beside the audit file. */
  readonly auditKey: string | undefined;
  readonly now: () => number;
  /** Serve nothing from a bundle whose freshness statement is missing or over. */
  readonly failStale: boolean;
  /** What replaces manifests (§21.8.3); without it publishing is merging. */
  readonly publish?: Publish;
  readonly log?: Logger;
}

export interface RunningServer {
  readonly url: string;
  readonly revision: string;
  /** Finishes what was begun, then ends. */
  readonly close: () => Promise<void>;
}

/** How long requests in flight may take once the server is asked to end. */
const GRACE_MS = 5000;

/** One line a happening, on standard error; bodies, keys and intents are never among it. */
export function stderrLog(): Logger {
  return pino({ base: null }, pino.destination({ fd: 2, sync: false }));
}

/**
 * Proves the bundle, opens the audit and listens.
 *
 * @throws bundle_not_found, bundle_unverified, model_unavailable, address_in_use, output_failed
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const log = options.log ?? stderrLog();
  const bundle = openNewest(options);
  const gardens = gardensOf(bundle, log);
  const watch = watchBundle(bundle, gardens, options, log);
  const queries = await openQueries(bundle.org.model, options.models, options.hub);
  const audit = openAudit(options.audit);
  const keyring = openKeyring(options.keys, (error) => {
    log.error({ reason: messageOf(error) }, 'keys cannot be read; the last ones stay in force');
  });
  const edition = { gardens, queries, isFresh: watch.fresh };
  const app = createApp({
    rollout: { current: () => edition, editionFor: () => edition },
    isStale: () => options.failStale && watch.fresh() !== true,
    ...{ audit, log, now: options.now, authenticator: authenticator(keyring) },
    tokens: auditTokens(auditKey(options)),
    publish: options.publish ? oneAtATime(options.publish) : null,
    newId: () => ulid(),
    onAuditFailure: (error) => {
      log.error({ reason: messageOf(error) }, 'audit_write_failed');
    },
  });
  const server = createServer(app);
  const end = async () => {
    keyring.end();
    watch.end();
    await audit.end();
  };
  await listen(server, options.host, options.port).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const url = urlOf(server);
  const held = bundle.root.predicate.gardens.reduce((all, it) => all + it.held, 0);
  log.info({ url, bundle_revision: bundle.revision, held, withdrawn: gardens.withdrawn.size }, 'ready');
  void gardens.proveRest();
  return { url, revision: bundle.revision, close: () => drain(server).then(end) };
}

/** The bundle that is there, unless a newer one was served before. */
function openNewest({ bundle: folder, pinned, audit, now: clock }: ServerOptions): OpenBundle {
  const now = new Date(clock()).toISOString();
  const bundle = openBundle(folder, { pinned, now });
  assertNewest(`${audit}.seen.json`, bundle, allowedRollbacks(bundle, now));
  return bundle;
}

function gardensOf(bundle: OpenBundle, log: Logger): Gardens {
  return openGardens(
    bundle,
    (garden, error) => {
      log.error({ garden, reason: messageOf(error) }, 'garden does not verify');
    },
    (garden, notice) => {
      log.warn({ garden }, notice);
    },
  );
}

function watchBundle(bundle: OpenBundle, gardens: Gardens, { now, failStale }: ServerOptions, log: Logger): Watch {
  const watch = watchBeside(bundle, gardens, {
    now,
    onBad: (what, error) => {
      log.error({ reason: messageOf(error) }, `${what} do not verify`);
    },
    onWithdrawn: (facts) => {
      log.warn({ withdrawn: facts }, 'facts were withdrawn');
    },
  });
  if (!failStale || watch.fresh() === true) return watch;
  watch.end();
  throw refuse('not_fresh', 'the bundle has no freshness statement that holds, and --fail-stale asks for one');
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function openAudit(path: string) {
  try {
    return openSqliteAudit(path);
  } catch (error) {
    throw new VadeError('output_failed', `the audit ${path} cannot be opened: ${messageOf(error)}`);
  }
}

/** A secret shorter than this could be guessed, or be what a crash left of one. */
const MIN_KEY_LENGTH = 16;

/** The key that audit tokens are MACed with; instances that share a load share it. */
function auditKey({ auditKey: given, audit }: ServerOptions): Buffer {
  if (given !== undefined && given !== '') return keyOf(given, 'VADE_AUDIT_KEY');
  const path = `${audit}.key`;
  const kept = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (kept !== '') return keyOf(kept, path);
  const made = randomBytes(32).toString('hex');
  writeFileSync(`${path}.tmp`, made, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
  return Buffer.from(made);
}

function keyOf(secret: string, from: string): Buffer {
  if (secret.length >= MIN_KEY_LENGTH) return Buffer.from(secret);
  throw new VadeError('argument_invalid', `${from} holds fewer than ${MIN_KEY_LENGTH} characters`);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      reject(
        taken ? new VadeError('address_in_use', `${host}:${port} cannot be listened on: ${error.code ?? ''}`) : error,
      );
    });
    server.listen(port, host, resolve);
  });
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      server.closeAllConnections();
    }, GRACE_MS);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
