import { loadGarden, loadShared, type LoadedGarden } from '../compiler/edge/garden.ts';
import { readFacts, readHistory, type OpenBundle, type ProvenEnvelope } from '../compiler/edge/bundle.ts';
import { VadeError } from '../compiler/model/errors.ts';
import type { Fact, FactVersion } from '../compiler/model/fact.ts';
import { SHARED } from '../compiler/model/uri.ts';
import { noneWithdrawn } from './withdrawn.ts';

/** The gardens of one bundle, proven before their first use and kept while they are used. */
export interface Gardens {
  readonly bundle: OpenBundle;
  /** The garden of an agent by exact id or short name; null where the bundle has none. */
  readonly find: (agent: string) => string | null;
  /** @throws recall_backend_unavailable for a garden that does not verify */
  readonly load: (name: string) => LoadedGarden;
  /** What was said of a garden, proven; null where the bundle has none. */
  readonly envelope: (garden: string) => ProvenEnvelope | null;
  /** One fact, in force or not any more, by its canonical URI; null where there is none. */
  readonly fact: (garden: string, uri: string) => Fact | FactVersion | null;
  /** Takes facts out, at once and for as long as this process lives; keys are `series digest` (DESIGN §7). */
  readonly withdraw: (keys: ReadonlySet<string>) => void;
  readonly withdrawn: ReadonlySet<string>;
  /** Proves every garden that was not used yet, one a turn of the event loop. */
  readonly proveRest: () => Promise<void>;
}

/**
 * @param onBad told once of each garden that does not verify
 * @param onNotice told once of each garden that is served otherwise than it was compiled for
 */
export function openGardens(
  bundle: OpenBundle,
  onBad: (garden: string, error: unknown) => void,
  onNotice: (garden: string, notice: string) => void = () => undefined,
): Gardens {
  const names = namesOf(bundle);
  const loaded = new Map<string, LoadedGarden>();
  const { guard, isBad } = openGuard(onBad);
  const withdrawn = noneWithdrawn();
  let shared: readonly Fact[] | undefined;
  const load = (name: string): LoadedGarden => {
    const ready = loaded.get(name);
    if (ready) return ready;
    const garden = guard(name, () => loadGarden(bundle, name, (shared ??= loadShared(bundle))));
    if (garden.notice !== null) onNotice(name, garden.notice);
    const served = withdrawn.takeOut(garden);
    loaded.set(name, served);
    return served;
  };
  const withdraw = (keys: ReadonlySet<string>) => {
    withdrawn.add(keys);
    for (const [name, garden] of loaded) loaded.set(name, withdrawn.takeOut(garden));
  };
  const proveRest = () =>
    eachTurn(bundle.root.predicate.gardens, ({ garden }) => {
      if (!loaded.has(garden) && !isBad(garden)) guard(garden, () => bundle.readGarden(garden));
    });
  return {
    bundle,
    find: (agent) => names.get(agent) ?? null,
    load,
    envelope: (garden) => guard(garden, () => bundle.envelope(garden)),
    fact: (garden, uri) => withdrawn.withhold(guard(garden, () => readFact(bundle, garden, uri))),
    withdrawn: withdrawn.keys,
    withdraw,
    proveRest,
  };
}

/** Reads of a garden that does not verify fail from then on; it is told once. */
function openGuard(onBad: (garden: string, error: unknown) => void) {
  const bad = new Set<string>();
  const guard = <T>(name: string, read: () => T): T => {
    if (bad.has(name)) throw unavailable(name);
    try {
      return read();
    } catch (error) {
      bad.add(name);
      onBad(name, error);
      throw unavailable(name);
    }
  };
  return { guard, isBad: (name: string) => bad.has(name) };
}

/** Gardens by agent id and by short name. */
function namesOf(bundle: OpenBundle): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { garden, agent_id } of bundle.root.predicate.gardens) {
    if (agent_id !== null) names.set(agent_id, garden).set(garden, garden);
  }
  return names;
}

/** Works through a list, one item a turn of the event loop, so that requests are answered in between. */
async function eachTurn<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  for (const item of items) {
    await new Promise(setImmediate);
    try {
      work(item);
    } catch {
      // told where it happened; the other items are not concerned
    }
  }
}

/** Old versions are rarely asked for: they are read, and proven, when they are. */
function readFact(bundle: OpenBundle, garden: string, uri: string): Fact | FactVersion | null {
  const proven = bundle.envelope(garden);
  if (!proven?.statement.subject.some((it) => it.name === uri)) return null;
  const current = readFacts(bundle.readFile(proven, 'facts.json'));
  const history = () => readHistory(bundle.readFile(proven, 'history.json'));
  return current.find((it) => it.uri === uri) ?? history().find((it) => it.uri === uri) ?? null;
}

function unavailable(name: string): VadeError {
  const what = name === SHARED ? 'the shared garden' : `garden ${name}`;
  return new VadeError('recall_backend_unavailable', `${what} does not verify and is not served`);
}
