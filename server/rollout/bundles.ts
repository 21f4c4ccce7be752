import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { isRevision, keptRevisions, currentRevision } from '../../compiler/io/bundle/open-bundle.ts';
import type { Mirror } from '../../compiler/schema/bundle/mirror.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { orNull } from '../../compiler/schema/or-null.ts';
import { anchorPath } from '../audit/chain/anchor.ts';
import type { AuditLog } from '../audit/records/log.ts';
import { publishedFactsPath, readRollbackMemory, rollbackMemoryPath } from '../audit/rollback-memory.ts';
import type { CanaryFlag } from './canaries.ts';
import { announcedIn, type Announced } from './candidates.ts';
import { openMirrorPoll, type MirrorOptions, type MirrorPoll } from './mirror-poll.ts';
import { createRepairs, type Repairs } from './repairs.ts';
import { openRollout, type OpenRollout } from './rollout.ts';
import { refusalFields, type ContextOptions } from './snapshot-context.ts';
import type { OriginHealth } from './snapshot.ts';

/** The bundles of a server and their source. */
export interface BundleOptions extends Pick<ContextOptions, 'pinned' | 'models' | 'hub' | 'failStale' | 'now'> {
  /** Folder of the bundle, or the cache that the mirror fills. */
  readonly bundle: string;
  /** Fetches a remote bundle into the folder. */
  readonly mirror?: Mirror | undefined;
  /** Poll interval of the folder, in milliseconds. Default: 1000. */
  readonly pollMs?: number;
  /** Poll interval of the mirror, in milliseconds. Default: 10000. */
  readonly mirrorPollMs?: number;
  /** Agents answered from another root. */
  readonly canaries?: readonly CanaryFlag[];
}

const POLL_MS = 1000;
const MIRROR_POLL_MS = 10_000;

/** The bundles of a server: the served one and its successors. */
export interface Bundles {
  readonly rollout: OpenRollout;
  /** Begins to poll for new roots and to archive the served bundle. */
  readonly begin: (audit: AuditLog) => void;
  readonly end: () => void;
}

/** The parts of the server that the rollout needs. */
export interface ServerContext {
  readonly log: Logger;
  /** Prefix of the state files, which record the newest served bundle. */
  readonly state: string;
  readonly isEnding: () => boolean;
}

/**
 * Opens the current bundle and its canaries.
 *
 * @throws bundle_not_found, bundle_unverified, model_unavailable, fact_mutated, output_failed, argument_invalid
 */
export async function openBundles(options: BundleOptions, server: ServerContext): Promise<Bundles> {
  const { log } = server;
  const { canaries = [], mirrorPollMs = MIRROR_POLL_MS } = options;
  const wanted = canaries.map((it) => it.root).filter(isRevision);
  const source = await openSource({ ...options, mirrorPollMs, wanted, random: Math.random, log });
  // another state file proves that a server has run with this state before
  const isForgotten = existsSync(anchorPath(server.state)) && !existsSync(rollbackMemoryPath(server.state));
  if (isForgotten && options.pinned.root.development !== true)
    log.warn('the record of the newest bundle is missing: the server cannot detect a rollback to an older bundle');
  const initialRoots = [...new Set([...source.initialRoots, ...servedBefore(options, server.state)])];
  const rollout = await openBest(options, server, { ...source, initialRoots });
  const { poll } = source;
  const repairs = repairsFor(options, mirrorPollMs, rollout, log);
  return {
    rollout,
    begin: (audit) => {
      rollout.begin(audit);
      poll?.begin({ onSynced: rollout.poll, onRefused: rollout.refuse });
      repairs?.begin();
    },
    end: () => {
      repairs?.end();
      poll?.end();
      rollout.end();
    },
  };
}

/** The newest root that was served with this state, if the folder still keeps it. */
function servedBefore({ bundle, pinned }: BundleOptions, state: string): string[] {
  const served = orNull(() => readRollbackMemory(rollbackMemoryPath(state)).get(pinned.root.deployment)?.revision);
  return keptRevisions(bundle).filter((it) => it === served);
}

/** Only a mirror's cache is repaired: a plain folder belongs to its writer. */
function repairsFor(options: BundleOptions, pollMs: number, rollout: OpenRollout, log: Logger): Repairs | null {
  const { mirror, now, pollMs: checkMs = POLL_MS } = options;
  return mirror ? createRepairs({ mirror, rollout, checkMs, pollMs, now, random: Math.random, log }) : null;
}

/** The newest root that verifies: if that is a bad one, the previously served one. */
async function openBest(options: BundleOptions, { log, state, isEnding }: ServerContext, source: Source) {
  const { bundle: folder, canaries = [], pollMs = POLL_MS } = options;
  const { announced, onServed, origin } = source;
  const [fallback = '', ...preferred] = [...source.initialRoots].reverse();
  const open = (revision: string) =>
    openRollout({
      ...options,
      folder,
      canaries,
      pollMs,
      log,
      isEnding,
      newestFile: rollbackMemoryPath(state),
      factsFile: publishedFactsPath(state),
      isMirrored: options.mirror !== undefined,
      announced,
      onServed,
      origin,
      revision,
    });
  for (const revision of preferred.reverse()) {
    try {
      return await open(revision);
    } catch (error) {
      if (!(error instanceof VadeError)) throw error;
      log.error(
        { offered: revision, ...refusalFields(error) },
        'the newest root is refused; the previous one is served',
      );
    }
  }
  return open(fallback);
}

/** The source of a server's bundles: a folder that another process writes, or one that a mirror fills. */
interface Source {
  readonly announced: Announced;
  /** Roots to try at the start, the preferred one first. */
  readonly initialRoots: readonly string[];
  readonly onServed: (revision: string) => void;
  readonly origin: () => OriginHealth;
  /** Null without a mirror. */
  readonly poll: MirrorPoll | null;
}

interface SourceOptions extends Omit<MirrorOptions, 'pollMs'> {
  readonly bundle: string;
  readonly mirror?: Mirror | undefined;
  /** Poll interval of the mirror, in milliseconds. */
  readonly mirrorPollMs: number;
  /** Revisions to fetch even if they are not announced. */
  readonly wanted: readonly string[];
}

/** @throws bundle_not_found, bundle_unverified */
async function openSource(options: SourceOptions): Promise<Source> {
  const { bundle, mirror, log } = options;
  if (!mirror) {
    const initialRoots = [currentRevision(bundle)];
    const nothing = {
      onServed: () => undefined,
      origin: () => ({ unreachable_since: null, refused_since: null }),
      poll: null,
    };
    return { announced: announcedIn(bundle), initialRoots, ...nothing };
  }
  const poll = await openMirrorPoll(mirror, { ...options, pollMs: options.mirrorPollMs });
  for (const revision of options.wanted) await fetchWanted(mirror, revision, log);
  const roots = [poll.announced.revision(), mirror.served()].filter((it) => it !== null);
  return {
    announced: poll.announced,
    initialRoots: [...new Set(roots)],
    onServed: mirror.accept,
    origin: poll.health,
    poll,
  };
}

/** A failure is only logged: the cache may have the root already, and opening it fails otherwise. */
async function fetchWanted(mirror: Mirror, revision: string, log: Logger): Promise<void> {
  try {
    await mirror.fetchRoot(revision);
  } catch (error) {
    log.warn({ wanted: revision, reason: error instanceof Error ? error.message : '' }, 'a root cannot be fetched');
  }
}
