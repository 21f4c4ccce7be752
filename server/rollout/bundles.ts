import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { isRevision } from '../../compiler/io/bundle/open-bundle.ts';
import type { HubSource } from '../../compiler/io/models/encoder.ts';
import type { Mirror } from '../../compiler/schema/bundle/mirror.ts';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { reasonOf } from '../../compiler/schema/refusals.ts';
import type { SignedRoot } from '../../compiler/trust/root-chain.ts';
import { anchorPath } from '../audit/chain/anchor.ts';
import type { AuditLog } from '../audit/records/log.ts';
import { rollbackMemoryPath } from '../audit/rollback-memory.ts';
import { openSource, type Source } from './bundle-source.ts';
import type { CanaryFlag } from './canary.ts';
import { openRepairs, type Repairs } from './repairs.ts';
import { openRollout, type OpenRollout } from './rollout.ts';

/** Which bundles a server serves, and where they come from. */
export interface BundleOptions {
  /** Folder of the bundle; with a mirror, the one that it fills. */
  readonly bundle: string;
  /** What fills the folder, where the bundle lies elsewhere. */
  readonly mirror?: Mirror | undefined;
  readonly pinned: SignedRoot;
  readonly models: string;
  /** Where models come from that are not in `models` yet. */
  readonly hub?: HubSource;
  /** Serve nothing from a bundle whose freshness statement is missing or over. */
  readonly failStale: boolean;
  /** Between two looks at the folder, in milliseconds. Default: a second. */
  readonly pollMs?: number;
  /** Between two rounds of a mirror, in milliseconds. Default: ten seconds. */
  readonly mirrorPollMs?: number;
  /** Agents that are answered from another root. */
  readonly canaries?: readonly CanaryFlag[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const POLL_MS = 1000;
const MIRROR_POLL_MS = 10_000;

/** The bundles of a server: the one in service, and whatever follows it. */
export interface Bundles {
  readonly rollout: OpenRollout;
  /** From now on new roots are looked for, and what is served is archived. */
  readonly begin: (audit: AuditLog) => void;
  readonly end: () => void;
}

/** What a server knows of itself. */
export interface Surroundings {
  readonly log: Logger;
  /** What the name of the file begins with that remembers which bundle was served last. */
  readonly state: string;
  readonly isEnding: () => boolean;
}

/**
 * Opens the bundle that is there, and its canaries.
 *
 * @throws bundle_not_found, bundle_unverified, model_unavailable, fact_mutated, output_failed, argument_invalid
 */
export async function openBundles(options: BundleOptions, around: Surroundings): Promise<Bundles> {
  const { log } = around;
  const { canaries = [], mirrorPollMs = MIRROR_POLL_MS } = options;
  const wanted = canaries.map((it) => it.root).filter(isRevision);
  const source = await openSource({ ...options, mirrorPollMs, wanted, random: Math.random, log });
  // another file beside the audit says that a server kept its state here before
  const isForgotten = existsSync(anchorPath(around.state)) && !existsSync(rollbackMemoryPath(around.state));
  if (isForgotten && options.pinned.root.development !== true)
    log.warn('the memory of the newest bundle is missing: this server cannot know whether an older one is served');
  const rollout = await openBest(options, around, source);
  const { poll } = source;
  const repairs = repairsFor(options, mirrorPollMs, rollout, log);
  return {
    rollout,
    begin: (audit) => {
      rollout.begin(audit);
      poll?.begin({ onSynced: rollout.look, onRefused: rollout.refuse });
      repairs?.begin();
    },
    end: () => {
      repairs?.end();
      poll?.end();
      rollout.end();
    },
  };
}

/** Only what a mirror fills is repaired: a folder is its writer's. */
function repairsFor(options: BundleOptions, pollMs: number, rollout: OpenRollout, log: Logger): Repairs | null {
  const { mirror, now, pollMs: lookMs = POLL_MS } = options;
  return mirror ? openRepairs({ mirror, rollout, lookMs, pollMs, now, random: Math.random, log }) : null;
}

/** The newest root that holds: where a mirror brought a bad one, the one that was served before. */
async function openBest(options: BundleOptions, { log, state, isEnding }: Surroundings, source: Source) {
  const { bundle: folder, canaries = [], pollMs = POLL_MS } = options;
  const { announced, onServed, origin } = source;
  const [last = '', ...better] = [...source.beginnings].reverse();
  const open = (revision: string) =>
    openRollout({
      ...options,
      folder,
      canaries,
      pollMs,
      log,
      isEnding,
      seen: rollbackMemoryPath(state),
      isMirrored: options.mirror !== undefined,
      announced,
      onServed,
      origin,
      revision,
    });
  for (const revision of better.reverse()) {
    try {
      return await open(revision);
    } catch (error) {
      if (!(error instanceof VadeError)) throw error;
      const told = { offered: revision, reason: reasonOf(error), message: messageOf(error) };
      log.error(told, 'the newest root is refused; the one before is served');
    }
  }
  return open(last);
}
