import { loadProven, loadShared, type LoadedGarden } from '../../compiler/io/bundle/load-garden.ts';
import { readFacts, readHistory, type OpenBundle, type ProvenEnvelope } from '../../compiler/io/bundle/open-bundle.ts';
import type { Fact, FactVersion } from '../../compiler/schema/bundle/fact.ts';
import { SHARED } from '../../compiler/schema/uri.ts';
import { createBackOff, type BackOff, type BackOffContext } from './back-off.ts';
import { publishFacts, type PublishedFacts } from './published-facts.ts';
import type { Withdrawn } from './withdrawals.ts';
import { yieldBetween } from './yield-turns.ts';

/** The gardens of one bundle, verified before their first use and cached. */
export interface Gardens {
  readonly bundle: OpenBundle;
  /** The garden of an agent by exact id or short name; null if the bundle has none. */
  readonly find: (agent: string) => string | null;
  /** @throws recall_backend_unavailable for a garden that does not verify */
  readonly load: (name: string) => LoadedGarden;
  /** The verified envelope of a garden; null if the bundle has none. */
  readonly envelope: (garden: string) => ProvenEnvelope | null;
  /** One verified file of a garden; null if absent. */
  readonly file: (garden: string, path: string) => Buffer | null;
  /** One fact, in force or superseded, by its canonical URI; null if absent. */
  readonly fact: (garden: string, uri: string) => Fact | FactVersion | null;
  /** Withdrawn facts, as `series digest` (DESIGN §7). */
  readonly withdrawn: ReadonlySet<string>;
  /** Removes facts that were withdrawn since loading. */
  readonly removeWithdrawn: () => void;
  /** Verifies the remaining gardens, one per turn of the event loop, while `isServed` is true. */
  readonly verifyRest: (isServed: () => boolean) => Promise<void>;
  /** The caches, for the next snapshot. */
  readonly memory: GardenMemory;
}

/** State that the gardens of one snapshot pass on to the next. */
export interface GardenMemory {
  readonly loaded: Map<string, LoadedGarden>;
  /** Gardens of which every file was verified. */
  readonly verified: Set<string>;
  readonly published: PublishedFacts;
  readonly backOff: BackOff;
  shared: readonly Fact[] | null;
}

export interface GardensContext extends BackOffContext {
  readonly withdrawn: Withdrawn;
  /** Called once for each garden that is served differently from how it was compiled. */
  readonly onNotice: (garden: string, notice: string) => void;
}

export function emptyMemory(context: BackOffContext): GardenMemory {
  return {
    loaded: new Map(),
    verified: new Set(),
    published: new Map(),
    backOff: createBackOff(context),
    shared: null,
  };
}

/** @param memory caches from the previous snapshot; loading fills them */
export function createGardens(
  bundle: OpenBundle,
  context: GardensContext,
  memory: GardenMemory = emptyMemory(context),
): Gardens {
  const names = namesOf(bundle);
  const { loaded, backOff } = memory;
  const { withdrawn } = context;
  const load = (name: string): LoadedGarden => {
    const ready = loaded.get(name);
    if (ready) return ready;
    // read separately: a failure counts against the shared garden, not the agent's
    const shared = (memory.shared ??= backOff.read(SHARED, () => loadShared(bundle)));
    const garden = backOff.read(name, () => verifyAndLoad(bundle, name, shared, memory, withdrawn));
    if (garden.notice !== null) context.onNotice(name, garden.notice);
    const served = withdrawn.removeWithdrawn(garden);
    loaded.set(name, served);
    return served;
  };
  return {
    bundle,
    find: (agent) => names.get(agent) ?? null,
    load,
    envelope: (garden) => backOff.read(garden, () => bundle.envelope(garden)),
    file: (garden, path) => backOff.read(garden, () => readFile(bundle, garden, path)),
    fact: (garden, uri) => withdrawn.withhold(backOff.read(garden, () => readFact(bundle, garden, uri))),
    withdrawn: withdrawn.keys,
    removeWithdrawn: () => {
      for (const [name, garden] of loaded) loaded.set(name, withdrawn.removeWithdrawn(garden));
    },
    verifyRest: (isServed) => verifyRest(bundle, memory, withdrawn, isServed),
    memory,
  };
}

/** Verifies and loads one garden. @throws bundle_unverified, fact_mutated */
function verifyAndLoad(
  bundle: OpenBundle,
  name: string,
  shared: readonly Fact[],
  memory: GardenMemory,
  withdrawn: Withdrawn,
): LoadedGarden {
  const own = bundle.readGarden(name);
  const garden = loadProven(bundle, own, shared);
  keepFacts(bundle, own, memory.published, withdrawn);
  memory.verified.add(name);
  return garden;
}

/**
 * Compares the facts of a garden with those that were published, and keeps them.
 *
 * @throws fact_mutated
 */
export function keepFacts(
  { root, trust }: OpenBundle,
  { name: garden, digest, statement }: ProvenEnvelope,
  published: PublishedFacts,
  { keys }: Withdrawn,
): void {
  // development bundles are recompiled from the same commit all day (DESIGN §8)
  if (trust.development) return;
  const { deployment } = root.predicate;
  publishFacts(published, { deployment, garden, digest, subjects: statement.subject }, keys);
}

/** Verifies the files of every garden that is neither loaded nor known to be bad. */
function verifyRest(
  bundle: OpenBundle,
  { verified, published, backOff }: GardenMemory,
  withdrawn: Withdrawn,
  isServed: () => boolean,
): Promise<void> {
  const rest = bundle.root.predicate.gardens.filter((it) => !verified.has(it.garden));
  return yieldBetween(rest, ({ garden }) => {
    if (verified.has(garden) || backOff.isBad(garden) || !isServed()) return;
    try {
      backOff.read(garden, () => {
        keepFacts(bundle, bundle.readGarden(garden), published, withdrawn);
      });
      verified.add(garden);
    } catch {
      // the back-off has logged it; the other gardens are not affected
    }
  });
}

/** Gardens by agent id and by short name. */
function namesOf(bundle: OpenBundle): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { garden, agent_id } of bundle.root.predicate.gardens) {
    if (agent_id !== null) names.set(agent_id, garden).set(garden, garden);
  }
  return names;
}

function readFile(bundle: OpenBundle, garden: string, path: string): Buffer | null {
  const proven = bundle.envelope(garden);
  return proven?.statement.subject.some((it) => it.name === path) ? bundle.readFile(proven, path) : null;
}

/** Superseded versions are requested rarely, so they are read and verified on demand. */
function readFact(bundle: OpenBundle, garden: string, uri: string): Fact | FactVersion | null {
  const proven = bundle.envelope(garden);
  if (!proven?.statement.subject.some((it) => it.name === uri)) return null;
  const current = readFacts(bundle.readFile(proven, 'facts.json'));
  const history = () => readHistory(bundle.readFile(proven, 'history.json'));
  return current.find((it) => it.uri === uri) ?? history().find((it) => it.uri === uri) ?? null;
}

/** The digest of the shared garden, which is part of every other one. */
export function sharedDigest({ root }: OpenBundle): string | null {
  return root.predicate.gardens.find((it) => it.garden === SHARED)?.digest ?? null;
}
