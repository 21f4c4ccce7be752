import type { Logger } from 'pino';
import { currentRevision } from '../../compiler/io/bundle/open-bundle.ts';
import type { Mirror } from '../../compiler/schema/bundle/mirror.ts';
import { announcedIn, type Announced } from './candidates.ts';
import { openMirrorPoll, type MirrorOptions, type MirrorPoll } from './mirror-poll.ts';
import type { OriginHealth } from './snapshot.ts';

/** The source of a server's bundles: a folder that another process writes, or one that a mirror fills. */
export interface Source {
  readonly announced: Announced;
  /** Roots to try at the start, the preferred one first. */
  readonly initialRoots: readonly string[];
  readonly onServed: (revision: string) => void;
  readonly origin: () => OriginHealth;
  /** Null without a mirror. */
  readonly poll: MirrorPoll | null;
}

export interface SourceOptions extends Omit<MirrorOptions, 'pollMs'> {
  readonly bundle: string;
  readonly mirror?: Mirror | undefined;
  /** Poll interval of the mirror, in milliseconds. */
  readonly mirrorPollMs: number;
  /** Revisions to fetch even if they are not announced. */
  readonly wanted: readonly string[];
}

/** @throws bundle_not_found, bundle_unverified */
export async function openSource(options: SourceOptions): Promise<Source> {
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
