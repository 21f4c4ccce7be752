import type { Logger } from 'pino';
import { currentRevision } from '../../compiler/io/bundle/open-bundle.ts';
import type { Mirror } from '../../compiler/schema/bundle/mirror.ts';
import { announcedIn, type Announced } from './candidates.ts';
import { openMirrorPoll, type MirrorPoll } from './mirror-poll.ts';
import type { OriginHealth } from './snapshot.ts';

/** Where the bundles of a server come from: a folder that others write, or one that a mirror fills. */
export interface Source {
  readonly announced: Announced;
  /** Roots to begin with, the best first. */
  readonly beginnings: readonly string[];
  readonly onServed: (revision: string) => void;
  readonly origin: () => OriginHealth;
  /** Null for a folder. */
  readonly poll: MirrorPoll | null;
}

export interface SourceOptions {
  readonly bundle: string;
  readonly mirror?: Mirror | undefined;
  /** Between two rounds of a mirror, in milliseconds. */
  readonly mirrorPollMs: number;
  /** Roots that are fetched too, whether they are announced or not. */
  readonly wanted: readonly string[];
  readonly now: () => number;
  readonly random: () => number;
  readonly log: Logger;
}

/** @throws bundle_not_found, bundle_unverified */
export async function openSource(options: SourceOptions): Promise<Source> {
  const { bundle, mirror, log } = options;
  if (!mirror) {
    const beginnings = [currentRevision(bundle)];
    const nothing = {
      onServed: () => undefined,
      origin: () => ({ unreachable_since: null, refused_since: null }),
      poll: null,
    };
    return { announced: announcedIn(bundle), beginnings, ...nothing };
  }
  const poll = await openMirrorPoll(mirror, { ...options, pollMs: options.mirrorPollMs });
  for (const revision of options.wanted) await fetchWanted(mirror, revision, log);
  const roots = [poll.announced.revision(), mirror.served()].filter((it) => it !== null);
  return {
    announced: poll.announced,
    beginnings: [...new Set(roots)],
    onServed: mirror.accept,
    origin: poll.health,
    poll,
  };
}

/** Without a network, what was fetched earlier may be enough: whoever needs it finds out. */
async function fetchWanted(mirror: Mirror, revision: string, log: Logger): Promise<void> {
  try {
    await mirror.fetchRoot(revision);
  } catch (error) {
    log.warn({ wanted: revision, reason: error instanceof Error ? error.message : '' }, 'a root cannot be fetched');
  }
}
