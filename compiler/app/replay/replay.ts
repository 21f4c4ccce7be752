import { resolve } from 'node:path';
import { findGarden, loadGarden, loadShared } from '../../io/bundle/load-garden.ts';
import { keptRevisions, openBundle, type OpenBundle } from '../../io/bundle/open-bundle.ts';
import { withdrawnFrom } from '../../io/bundle/sidecar-files.ts';
import { openQueries, type Queries } from '../../io/models/encoder.ts';
import { loggedRecall, withdrawnThen } from '../../quality/logged-recall.ts';
import type { QueryOf } from '../../quality/probes.ts';
import type { CountedRecall } from '../../quality/replay-tally.ts';
import { replay, type LoggedRecall } from '../../quality/replay.ts';
import { withoutWithdrawn, type RecallFact, type RecallGarden } from '../../recall/recall-garden.ts';
import type { AuditedAnswer } from '../../schema/audit/answered.ts';
import type { Fact } from '../../schema/bundle/fact.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import type { Unreplayable } from '../../schema/report/replay-report.ts';
import { isWithdrawn } from '../../trust/withdrawal.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { REPLAY } from '../../world/flags/quality.ts';
import { hubOf } from '../../world/model-hub.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';

export type ReplayFlags = Arguments<typeof REPLAY>;

/** Replays audited recalls on a bundle. */
export interface Replayer {
  readonly bundle: OpenBundle;
  readonly ask: (answered: AuditedAnswer) => Promise<CountedRecall | Unreplayable>;
  /** Why the recalls of a revision could not be replayed, by revision. */
  readonly unusable: ReadonlyMap<string, string>;
}

/** One garden of one bundle, ready to answer. */
interface ReplayGarden {
  readonly name: string;
  /** The garden without those of the named facts that administrators withdrew. */
  readonly without: (names: readonly string[] | 'all') => RecallGarden;
  readonly queryOf: QueryOf;
}

/** The gardens of one bundle by agent ID; null for an agent that it does not have. */
type Gardens = (agentId: string) => ReplayGarden | null;

/**
 * Opens a bundle, and the older roots in its folder, to replay recalls.
 *
 * @throws bundle_not_found, bundle_unverified, model_unavailable
 */
export async function openReplayer(flags: ReplayFlags, world: World): Promise<Replayer> {
  const folder = resolve(world.cwd, flags.bundle);
  const belief = { pinned: pinnedRoot(flags, world), now: world.now().toISOString() };
  const bundle = openBundle(folder, belief);
  const withdrawn = withdrawnFrom(bundle);
  const isOrdered = (fact: RecallFact) => isWithdrawn(withdrawn, fact);
  const open = async (opened: OpenBundle) => {
    const queries = await openQueries(opened.org.model, resolve(world.cwd, flags.models), hubOf(world));
    return gardensOf(opened, queries, isOrdered);
  };
  const current = await open(bundle);
  const available = new Set(keptRevisions(folder));
  const older = openOlder(async (revision) => open(openBundle(folder, belief, revision)));
  const ask = async (answered: AuditedAnswer): Promise<CountedRecall | Unreplayable> => {
    const logged = loggedRecall(answered);
    if (typeof logged === 'string') return logged;
    const isSame = logged.bundle_revision === bundle.revision;
    if (isSame || !flags['as-recorded']) return askOne(current, answered, logged, isSame);
    if (!available.has(logged.bundle_revision)) return 'revision_gone';
    return older.tryWith(logged.bundle_revision, (gardens) => askOne(gardens, answered, logged, true));
  };
  return { bundle, ask, unusable: older.unusable };
}

/**
 * @param isProof whether the same bundle gave the recorded answer: then units that were withdrawn later are still
 * served. Any other bundle answers as it would today, without all withdrawn units.
 */
async function askOne(gardens: Gardens, answered: AuditedAnswer, logged: LoggedRecall, isProof: boolean) {
  const garden = gardens(answered.agent_id);
  if (garden === null) return 'agent_unknown';
  const served = garden.without(isProof ? withdrawnThen(answered) : 'all');
  // other candidates of another bundle are not reported: any change of any unit moves some of them
  const compared = isProof ? logged : { ...logged, candidates: null };
  const { gained, dropped, ...replayed } = await replay(served, compared, garden.queryOf);
  return {
    ...replayed,
    agent: garden.name,
    agent_id: answered.agent_id,
    revision: logged.bundle_revision,
    gained: [...gained],
    dropped: [...dropped],
    before: logged.tokens,
    isProof,
  };
}

/** Loads each garden once, when it is first needed. */
function gardensOf(bundle: OpenBundle, queries: Queries, isOrdered: (fact: RecallFact) => boolean): Gardens {
  const known = new Map<string, ReplayGarden | null>();
  let shared: readonly Fact[] | undefined;
  const load = (agentId: string): ReplayGarden | null => {
    const name = findGarden(bundle, agentId);
    if (name === null) return null;
    const { recall } = loadGarden(bundle, name, (shared ??= loadShared(bundle)));
    return { name, without: withdrawable(recall, isOrdered), queryOf: cachedQueries(queries, recall) };
  };
  return (agentId) => {
    const garden = known.get(agentId) ?? load(agentId);
    known.set(agentId, garden);
    return garden;
  };
}

/** Only a signed order of an administrator withdraws a unit; other names in the audit have no effect. */
function withdrawable(garden: RecallGarden, isOrdered: (fact: RecallFact) => boolean): ReplayGarden['without'] {
  const withdrawn = new Set(garden.facts.filter(isOrdered).map(({ name }) => name));
  const variants = new Map<string, RecallGarden>();
  return (names) => {
    const withheld = names === 'all' ? [...withdrawn] : [...withdrawn].filter((it) => names.includes(it));
    if (withheld.length === 0) return garden;
    const key = withheld.join(' ');
    const variant = variants.get(key) ?? withoutWithdrawn(garden, ({ name }) => withheld.includes(name));
    variants.set(key, variant);
    return variant;
  };
}

/** The number of cached intents, some tens of megabytes; agents repeat their intents. */
const MAX_CACHED = 20_000;

/** Encodes each intent once; the cache is cleared when it is full. */
function cachedQueries(queries: Queries, { index }: RecallGarden): QueryOf {
  const known = new Map<string, Promise<Int8Array | null>>();
  return (intent) => {
    const vector = known.get(intent) ?? queries(intent, index);
    if (known.size >= MAX_CACHED) known.clear();
    known.set(intent, vector);
    return vector;
  };
}

/** Opens older roots. A root that cannot be used affects only its own recalls. */
function openOlder(open: (revision: string) => Promise<Gardens>) {
  const opened = new Map<string, Promise<Gardens>>();
  const unusable = new Map<string, string>();
  const tryWith = async <T>(revision: string, work: (gardens: Gardens) => Promise<T>): Promise<T | Unreplayable> => {
    try {
      const gardens = opened.get(revision) ?? open(revision);
      opened.set(revision, gardens);
      return await work(await gardens);
    } catch (error) {
      if (!(error instanceof VadeError)) throw error;
      unusable.set(revision, messageOf(error));
      return 'revision_unusable';
    }
  };
  return { tryWith, unusable };
}
