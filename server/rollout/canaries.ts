import type { Logger } from 'pino';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { canaryRevision, isReached, openCanary, type Canary, type CanaryFlag } from './canary.ts';
import type { SnapshotContext } from './open-snapshot.ts';
import type { Snapshot, RolloutHealth } from './snapshot.ts';

/** The agents that are answered from another root, for as long as they are. */
export interface Canaries {
  readonly all: () => readonly Canary[];
  /** The edition of an agent's canary, by id or short name; null where it has none. */
  readonly snapshotFor: (agent: string) => Snapshot | null;
  readonly list: () => RolloutHealth['canaries'];
  /** Ends those that the current bundle has reached, and those that do not verify any more. */
  readonly look: (current: Snapshot) => void;
}

/**
 * Opens every canary before the server listens: one that does not verify keeps it from starting. One that the current
 * bundle has reached already is over, as it would be in a server that kept running.
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
    look: (now) => {
      canaries = canaries.filter((it) => !isOver(it, now, log));
    },
  };
}

const ENDS = {
  reached: 'the canary is over: the current bundle is as new',
  bad: 'the canary does not verify any more: its agent is answered from the current bundle',
};

function isOver({ agent, snapshot, look }: Canary, current: Snapshot, log: Logger): boolean {
  const end = look(current);
  if (end === null) return false;
  const told = { agent, canary: snapshot.gardens.bundle.revision, bundle_revision: current.gardens.bundle.revision };
  if (end === 'bad') log.error(told, ENDS.bad);
  else log.info(told, ENDS.reached);
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
