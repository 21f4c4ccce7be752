import { openAnchor } from './audit/chain/anchor.ts';
import { checkpointSigner } from './audit/chain/keys.ts';
import { stateOf, tokenKeys } from './audit/open.ts';
import { keepPrivate } from './audit/private-files.ts';
import type { AuditLog } from './audit/records/log.ts';
import { GRACE_MS, type RunningServer, type ServerOptions } from './main.ts';
import { openBundles } from './rollout/bundles.ts';
import { stderrLog } from './telemetry/stderr-log.ts';
import { joinWorkers, type Member } from './workers/member.ts';
import { superviseWorkers } from './workers/supervise.ts';

export interface ClusterOptions {
  readonly workers: number;
  /** How long a worker may still serve once shutdown begins, in milliseconds. */
  readonly drainMs: number;
}

/** How long an audit may take to store its last rows, in milliseconds. */
const FLUSH_MS = 10_000;

/** The workers archive what they serve. */
const UNARCHIVED: Pick<AuditLog, 'archive'> = { archive: () => Promise.resolve() };

/**
 * Serves by several processes, which share one port, one audit, one rollout and the limits of callers. This process
 * opens the bundle and makes what the workers share; it answers no request. Each worker runs the command line of this
 * process, and so has the same options; with `joinServer` it becomes a part of this server.
 *
 * @throws as startServer
 */
export async function startCluster(options: ServerOptions, cluster: ClusterOptions): Promise<RunningServer> {
  const log = options.log ?? stderrLog(options);
  prepareState(options, log);
  let isEnding = false;
  const bundles = await openBundles(options, { log, state: stateOf(options), isEnding: () => isEnding });
  const { rollout } = bundles;
  bundles.begin(UNARCHIVED);
  const endMs = cluster.drainMs + GRACE_MS + FLUSH_MS;
  const [, file = '', ...args] = process.argv;
  try {
    const workers = await superviseWorkers({
      ...cluster,
      program: { file, args },
      rollout,
      endMs,
      now: options.now,
      log,
    });
    const { revision, root } = rollout.current().gardens.bundle;
    const close = async () => {
      isEnding = true;
      await workers.end();
      bundles.end();
    };
    return { url: workers.url, revision, gardens: root.predicate.gardens.length, close };
  } catch (error) {
    bundles.end();
    throw error;
  }
}

/** Makes the state files that are missing: of workers that start together, each would make another key. */
function prepareState(options: ServerOptions, log: NonNullable<ServerOptions['log']>): void {
  const state = stateOf(options);
  keepPrivate({ audit: options.audit, state }, log);
  tokenKeys(options);
  checkpointSigner(options.checkpointKey, state);
  // compacts it, which no worker may do while others append to it
  openAnchor(state);
}

/** Joins the server that forked this process. @param now milliseconds since 1970 */
export function joinServer(now: () => number): Promise<Member> {
  const send = (message: object) => void process.send?.(message, undefined, undefined, () => undefined);
  return joinWorkers({ send, onMessage: (take) => void process.on('message', take) }, now);
}
