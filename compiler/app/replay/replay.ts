import { resolve } from 'node:path';
import { findGarden, loadGarden, loadShared } from '../../io/bundle/load-garden.ts';
import { keptRevisions, openBundle, type OpenBundle } from '../../io/bundle/open-bundle.ts';
import { withdrawnFrom } from '../../io/bundle/sidecar-files.ts';
import { openQueries, type Queries } from '../../io/models/encoder.ts';
import { loggedRecall, withdrawnThen } from '../../quality/logged-recall.ts';
import type { QueryOf } from '../../quality/probes.ts';
import type { Counted } from '../../quality/replay-tally.ts';
import { replay, type LoggedRecall } from '../../quality/replay.ts';
import { withoutWithdrawn, type RecallFact, type RecallGarden } from '../../recall/recall-garden.ts';
import type { AuditedAnswer } from '../../schema/audit/answered.ts';
import type { Fact } from '../../schema/bundle/fact.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import type { Unreplayable } from '../../schema/report/replay-report.ts';
import { isWithdrawn } from '../../trust/withdrawal.ts';
import { hubOf } from '../world/model-hub.ts';
import { pinnedRoot } from '../world/trust-keys.ts';
import type { World } from '../world/world.ts';

export interface ReplayFlags {
  readonly bundle: string;
  readonly trust: string | undefined;
  readonly dev: boolean;
  readonly models: string;
  /** Each recall is asked of the bundle that answered it. */
  readonly 'as-recorded': boolean;
}

/** What recalls are asked of again. */
export interface Replaying {
  readonly bundle: OpenBundle;
  readonly ask: (answered: AuditedAnswer) => Promise<Counted | Unreplayable>;
  /** Why recalls of a revision could not be asked, by revision. */
  readonly unusable: ReadonlyMap<string, string>;
}

/** One garden of one bundle, ready to be asked. */
interface AskedGarden {
  readonly name: string;
  /** Without these of the facts that administrators took out. */
  readonly without: (names: readonly string[] | 'all') => RecallGarden;
  readonly queryOf: QueryOf;
}

/** The gardens of one bundle by agent id; null for an agent that it does not have. */
type Gardens = (agentId: string) => AskedGarden | null;

/**
 * Opens a bundle to ask it, or the roots that are kept beside it, what was asked before.
 *
 * @throws bundle_not_found, bundle_unverified, model_unavailable
 */
export async function openReplaying(flags: ReplayFlags, world: World): Promise<Replaying> {
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
  const kept = new Set(keptRevisions(folder));
  const older = openOlder(async (revision) => open(openBundle(folder, belief, revision)));
  const ask = async (answered: AuditedAnswer): Promise<Counted | Unreplayable> => {
    const logged = loggedRecall(answered);
    if (typeof logged === 'string') return logged;
    const isSame = logged.bundle_revision === bundle.revision;
    if (isSame || !flags['as-recorded']) return askOne(current, answered, logged, isSame);
    if (!kept.has(logged.bundle_revision)) return 'revision_gone';
    return older.guard(logged.bundle_revision, (gardens) => askOne(gardens, answered, logged, true));
  };
  return { bundle, ask, unusable: older.unusable };
}

/**
 * @param isProof whether the same bundle answered then: units that were taken out later are asked for as of then. Any
 * other bundle answers as it would answer today, without everything that was taken out.
 */
async function askOne(gardens: Gardens, answered: AuditedAnswer, logged: LoggedRecall, isProof: boolean) {
  const garden = gardens(answered.agent_id);
  if (garden === null) return 'agent_unknown';
  const asked = garden.without(isProof ? withdrawnThen(answered) : 'all');
  const { gained, dropped, ...replayed } = await replay(asked, logged, garden.queryOf);
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

/** Loads gardens as they are asked for, each once. */
function gardensOf(bundle: OpenBundle, queries: Queries, isOrdered: (fact: RecallFact) => boolean): Gardens {
  const known = new Map<string, AskedGarden | null>();
  let shared: readonly Fact[] | undefined;
  const load = (agentId: string): AskedGarden | null => {
    const name = findGarden(bundle, agentId);
    if (name === null) return null;
    const { recall } = loadGarden(bundle, name, (shared ??= loadShared(bundle)));
    return { name, without: withdrawable(recall, isOrdered), queryOf: remembering(queries, recall) };
  };
  return (agentId) => {
    const garden = known.get(agentId) ?? load(agentId);
    known.set(agentId, garden);
    return garden;
  };
}

/** Nobody's word but an administrator's takes a unit out: a name that was never ordered out stays in. */
function withdrawable(garden: RecallGarden, isOrdered: (fact: RecallFact) => boolean): AskedGarden['without'] {
  const out = new Set(garden.facts.filter(isOrdered).map(({ name }) => name));
  const variants = new Map<string, RecallGarden>();
  return (names) => {
    const gone = names === 'all' ? [...out] : [...out].filter((it) => names.includes(it));
    if (gone.length === 0) return garden;
    const key = gone.join(' ');
    const variant = variants.get(key) ?? withoutWithdrawn(garden, ({ name }) => gone.includes(name));
    variants.set(key, variant);
    return variant;
  };
}

/** As many intents as fit into some tens of megabytes; agents say the same ones again and again. */
const REMEMBERED = 20_000;

/** Encodes an intent once, as long as not too many others come between. */
function remembering(queries: Queries, { index }: RecallGarden): QueryOf {
  const known = new Map<string, Promise<Int8Array | null>>();
  return (intent) => {
    const vector = known.get(intent) ?? queries(intent, index);
    if (known.size >= REMEMBERED) known.clear();
    known.set(intent, vector);
    return vector;
  };
}

/** Roots that are not current any more: one that cannot be used stops nothing but its own recalls. */
function openOlder(open: (revision: string) => Promise<Gardens>) {
  const opened = new Map<string, Promise<Gardens>>();
  const unusable = new Map<string, string>();
  const guard = async <T>(revision: string, work: (gardens: Gardens) => Promise<T>): Promise<T | Unreplayable> => {
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
  return { guard, unusable };
}
