import type { Logger } from 'pino';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { canaryRevision, isReached, openCanary, type Canary, type CanaryFlag } from './canary.ts';
import type { SnapshotContext } from './snapshot-context.ts';
import type { Snapshot, RolloutHealth } from './snapshot.ts';

/** The active canaries: agents answered from another root. */
export interface Canaries {
  readonly all: () => readonly Canary[];
  /** The snapshot of an agent's canary, by id or short name; null without a canary. */
  readonly snapshotFor: (agent: string) => Snapshot | null;
  readonly list: () => RolloutHealth['canaries'];
  /** Ends canaries that the current bundle has reached, and canaries that no longer verify. */
  readonly check: (current: Snapshot) => void;
}

/**
 * Opens every canary before the server listens: one that does not verify stops the start. One that the current bundle
 * has reached is over, as in a running server.
 *
 * @throws argument_invalid, bundle_not_found, bundle_unverified, fact_mutated, agent_not_found
 */
export async function openCanaries(
  flags: readonly CanaryFlag[],
  current: Snapshot,
  context: SnapshotContext,
  log: Logger,
): Promise<Canaries> {
  let canaries: Canary[] = [];
  for (const flag of flags) {
    const revision = canaryRevision(context.folder, flag, current);
    if (revision === null || isReached(revision, current)) log.info({ agent: flag.agent }, ENDS.reached);
    else canaries.push(await openNamed(flag, revision, current, context));
  }
  const agents = canaries.map((it) => it.agent);
  if (new Set(agents).size < agents.length) throw new VadeError('argument_invalid', '--canary names an agent twice');
  return {
    all: () => canaries,
    snapshotFor: (agent) => canaries.find((it) => it.isFor(agent))?.snapshot ?? null,
    list: () => canaries.map(({ agent, snapshot }) => ({ agent, revision: snapshot.gardens.bundle.revision })),
    check: (now) => {
      canaries = canaries.filter((it) => !hasEnded(it, now, log));
    },
  };
}

const ENDS = {
  reached: 'the canary has ended: the current bundle is at least as new',
  bad: 'the canary no longer verifies: its agent is answered from the current bundle',
};

function hasEnded({ agent, snapshot, check }: Canary, current: Snapshot, log: Logger): boolean {
  const end = check(current);
  if (end === null) return false;
  const fields = { agent, canary: snapshot.gardens.bundle.revision, bundle_revision: current.gardens.bundle.revision };
  if (end === 'bad') log.error(fields, ENDS.bad);
  else log.info(fields, ENDS.reached);
  return true;
}

async function openNamed(
  flag: CanaryFlag,
  revision: string,
  current: Snapshot,
  context: SnapshotContext,
): Promise<Canary> {
  try {
    return await openCanary(flag, revision, current, context);
  } catch (error) {
    if (!(error instanceof VadeError)) throw error;
    throw new VadeError(error.code, `the canary of ${flag.agent}: ${messageOf(error)}`, error.details);
  }
}
