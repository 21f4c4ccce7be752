import type { Logger } from 'pino';
import { keptRevisions, openBundle, serialOf, stampOf, type OpenBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { SHARED } from '../../compiler/schema/uri.ts';
import { openNextSnapshot } from './open-snapshot.ts';
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

/** A flag that answers one agent from another root of the same bundle. */
export interface CanaryFlag {
  /** Id or short name. */
  readonly agent: string;
  /** Revision, or serial of a root in the folder. */
  readonly root: string;
}

type CanaryEnd = 'reached' | 'bad';

/** An active canary. */
export interface Canary {
  readonly agent: string;
  readonly snapshot: Snapshot;
  /** Whether this id or short name is its agent. */
  readonly isFor: (agent: string) => boolean;
  /** Why it has to end, or null; costs a few stat calls. */
  readonly check: (current: Snapshot) => CanaryEnd | null;
}

/**
 * The root of a flag; null for a serial that the current bundle has reached, even if its root is missing.
 *
 * @throws bundle_not_found, argument_invalid
 */
function canaryRevision(folder: string, { root }: CanaryFlag, { gardens }: Snapshot): string | null {
  if (!/^\d+$/.test(root)) return root;
  const serial = Number(root);
  const found = keptRevisions(folder).filter((it) => serialOf(it) === serial);
  const [revision] = found;
  if (revision !== undefined && found.length === 1) return revision;
  if (serial <= gardens.bundle.root.predicate.serial) return null;
  if (revision === undefined) throw new VadeError('bundle_not_found', `no root with serial ${root}`);
  throw new VadeError('argument_invalid', `two roots have serial ${root}: pass the full revision to --canary`);
}

/** Whether the current bundle is at least as new as a canary's root. */
function isReached(revision: string, { gardens }: Snapshot): boolean {
  return serialOf(revision) <= gardens.bundle.root.predicate.serial;
}

/**
 * Opens a canary: verifies and loads its agent's garden and the shared one, as for a new root.
 *
 * @throws bundle_unverified, fact_mutated, model_unavailable, agent_not_found
 */
async function openCanary(
  flag: CanaryFlag,
  revision: string,
  current: Snapshot,
  context: SnapshotContext,
): Promise<Canary> {
  let isBad = false;
  const onBad: SnapshotContext['onBad'] = () => {
    isBad = true;
  };
  const own = (bundle: OpenBundle) => [SHARED, entryOf(bundle, flag.agent).garden];
  const snapshot = await openNextSnapshot(current, revision, { ...context, onBad }, own);
  const { bundle, load } = snapshot.gardens;
  const { garden, agent_id } = entryOf(bundle, flag.agent);
  load(garden);
  const stamp = () => placesOf(bundle, garden).join('\n');
  let known = stamp();
  const isIntact = () => {
    const latest = stamp();
    if (latest === known) return true;
    known = latest;
    return stillVerifies(bundle, garden, context);
  };
  return {
    agent: garden,
    snapshot,
    isFor: (agent) => agent === garden || agent === agent_id,
    check: (now) => {
      if (isReached(revision, now)) return 'reached';
      return isBad || !isIntact() ? 'bad' : null;
    },
  };
}

function entryOf({ root }: OpenBundle, agent: string) {
  const found = root.predicate.gardens.find((it) => it.agent_id === agent || it.garden === agent);
  if (found && found.agent_id !== null) return found;
  throw new VadeError('agent_not_found', `the canary’s root has no agent ${agent}`);
}

/** Verifies again after a change to files that no writer should change. */
function stillVerifies({ folder, revision }: OpenBundle, garden: string, { pinned, now }: SnapshotContext): boolean {
  try {
    const bundle = openBundle(folder, { pinned, now: new Date(now()).toISOString() }, revision);
    for (const name of [SHARED, garden]) bundle.readGarden(name);
    return true;
  } catch {
    return false;
  }
}

/** Stamps of all files that the canary answers from. */
function placesOf({ folder, revision, root }: OpenBundle, garden: string): string[] {
  const own = root.predicate.gardens.filter((it) => it.garden === garden || it.garden === SHARED);
  return [
    stampOf(folder, revision, null),
    ...own.map((it) => stampOf(folder, revision, { name: it.garden, digest: it.digest })),
  ];
}
