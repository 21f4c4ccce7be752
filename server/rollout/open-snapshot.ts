import { isDeepStrictEqual } from 'node:util';
import { loadProven, loadShared } from '../../compiler/io/bundle/load-garden.ts';
import { openBundle, type OpenBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { assertNoneMissing, withdrawalsOf } from '../../compiler/io/bundle/sidecar-files.ts';
import { openQueries } from '../../compiler/io/models/encoder.ts';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { orNull } from '../../compiler/schema/or-null.ts';
import { refuse } from '../../compiler/schema/refusals.ts';
import { SHARED } from '../../compiler/schema/uri.ts';
import { createAnswerCache } from './answer-cache.ts';
import { emptyMemory, createGardens, keepFacts, sharedDigest, type GardenMemory } from './gardens.ts';
import { assertNewest, factsBefore } from './newest-served.ts';
import { placeOf } from './published-facts.ts';
import type { SnapshotContext } from './snapshot-context.ts';
import type { Snapshot } from './snapshot.ts';
import { watchFreshness, type FreshnessWatch } from './watch.ts';
import { yieldBetween } from './yield-turns.ts';

/** A snapshot with details for the rollout log. */
export interface Prepared extends Snapshot {
  /** Number of newly verified gardens. */
  readonly changed: number;
}

/**
 * The first snapshot. Its facts are compared with those that this server has published; its gardens are verified before
 * their first use.
 *
 * @throws bundle_unverified, fact_mutated, model_unavailable
 */
export async function openSnapshot(revision: string, context: SnapshotContext): Promise<Prepared> {
  const bundle = openRevision(revision, context);
  const freshness = freshnessFor(bundle, context);
  const memory = { ...emptyMemory(context), published: factsBefore(bundle, context) };
  await compareFacts(bundle, memory, context);
  const gardens = createGardens(bundle, context, memory);
  const queries = await openQueries(bundle.org.model, context.models, context.hub);
  const answerCache = createAnswerCache();
  const changed = bundle.root.predicate.gardens.length;
  return { gardens, queries, answerCache, freshness, changed };
}

/**
 * The next snapshot (DESIGN §8): changed gardens are verified and loaded before it is served, one per turn of the
 * event loop; unchanged gardens are carried over.
 *
 * @param only the required gardens, for a snapshot that answers only some agents
 * @throws bundle_unverified, fact_mutated, model_unavailable
 */
export async function openNextSnapshot(
  before: Snapshot,
  revision: string,
  context: SnapshotContext,
  only: ((bundle: OpenBundle) => readonly string[]) | null = null,
): Promise<Prepared> {
  const bundle = openRevision(revision, context);
  const freshness = only
    ? watchFreshness(bundle, { ...context, onBad: () => undefined })
    : freshnessFor(bundle, context);
  const isSame = unchangedFrom(before.gardens.bundle, bundle);
  const memory = carryOver(before.gardens.memory, isSame, context);
  const wanted = only?.(bundle) ?? bundle.root.predicate.gardens.map((it) => it.garden);
  const changed = wanted.filter((garden) => !isSame(garden));
  const isSameModel = isDeepStrictEqual(before.gardens.bundle.org.model, bundle.org.model);
  const queries = isSameModel ? before.queries : await openQueries(bundle.org.model, context.models, context.hub);
  await verifyChanged({ before, bundle, memory, context }, changed);
  const gardens = createGardens(bundle, context, memory);
  const { answerCache } = before;
  return { gardens, queries, answerCache, freshness, changed: changed.length };
}

/** Takes over the gardens that the previous snapshot loaded, and the withdrawals that arrived, during preparation. */
export function catchUp(before: Snapshot, next: Snapshot): void {
  const isSame = unchangedFrom(before.gardens.bundle, next.gardens.bundle);
  const from = before.gardens.memory;
  const to = next.gardens.memory;
  for (const [name, garden] of from.loaded) if (isSame(name) && !to.loaded.has(name)) to.loaded.set(name, garden);
  for (const name of from.verified) if (isSame(name)) to.verified.add(name);
  for (const [place, facts] of from.published) if (!to.published.has(place)) to.published.set(place, facts);
  next.gardens.removeWithdrawn();
}

/** Opens a root, and checks its order and its withdrawals. */
function openRevision(revision: string, context: SnapshotContext): OpenBundle {
  const { folder, pinned, newestFile, withdrawn } = context;
  const now = new Date(context.now()).toISOString();
  const bundle = openBundle(folder, { pinned, now }, revision);
  assertNewest(newestFile, bundle);
  // a withdrawal must not be lost silently: a bundle with a shortened list is not served
  const { keys, missing } = withdrawalsOf(bundle);
  withdrawn.add(keys);
  assertNoneMissing(missing.filter((it) => !withdrawn.keys.has(it)));
  return bundle;
}

function freshnessFor(bundle: OpenBundle, context: SnapshotContext): FreshnessWatch {
  const { failStale, onNotFresh } = context;
  const freshness = watchFreshness(bundle, { ...context, onBad: onNotFresh });
  if (!failStale || freshness.isFresh() === true) return freshness;
  throw refuse('not_fresh', 'the bundle has no valid freshness statement, and --fail-stale requires one');
}

/** The gardens that are identical in both bundles under the same trust root and model, and need no new check. */
function unchangedFrom(before: OpenBundle, next: OpenBundle): (garden: string) => boolean {
  const isComparable =
    sharedDigest(before) === sharedDigest(next) &&
    isDeepStrictEqual(before.trust, next.trust) &&
    isDeepStrictEqual(before.org.model, next.org.model);
  const digests = new Map(before.root.predicate.gardens.map((it) => [it.garden, it.digest]));
  const same = next.root.predicate.gardens.filter((it) => digests.get(it.garden) === it.digest);
  const names = new Set(isComparable ? same.map((it) => it.garden) : []);
  return (garden) => names.has(garden);
}

/** Copies references only; reads nothing. */
function carryOver(before: GardenMemory, isSame: (garden: string) => boolean, context: SnapshotContext): GardenMemory {
  return {
    ...emptyMemory(context),
    loaded: new Map([...before.loaded].filter(([garden]) => isSame(garden))),
    verified: new Set([...before.verified].filter(isSame)),
    published: new Map(before.published),
    backOff: before.backOff.after(isSame),
    shared: isSame(SHARED) ? before.shared : null,
  };
}

interface GardenVerification {
  readonly before: Snapshot;
  readonly bundle: OpenBundle;
  readonly memory: GardenMemory;
  readonly context: SnapshotContext;
}

async function verifyChanged(verification: GardenVerification, changed: readonly string[]): Promise<void> {
  const { bundle, memory } = verification;
  if (changed.length > 0) memory.shared ??= namingGarden(bundle, SHARED, () => loadShared(bundle));
  await yieldBetween(changed, (garden) => {
    namingGarden(bundle, garden, () => {
      verifyGarden(verification, garden);
    });
  });
}

/** Verifies a whole garden; only one that was in use stays in memory. */
function verifyGarden({ before, bundle, memory, context }: GardenVerification, garden: string): void {
  const own = bundle.readGarden(garden);
  keepFacts(bundle, own, memory.published, context.withdrawn);
  memory.verified.add(garden);
  if (garden === SHARED) return;
  const loaded = loadProven(bundle, own, memory.shared ?? []);
  if (!before.gardens.memory.loaded.has(garden)) return;
  if (loaded.notice !== null) context.onNotice(garden, loaded.notice);
  memory.loaded.set(garden, context.withdrawn.removeWithdrawn(loaded));
}

/** An unreadable garden is compared when it is loaded. */
async function compareFacts(bundle: OpenBundle, { published }: GardenMemory, context: SnapshotContext): Promise<void> {
  const { deployment, gardens } = bundle.root.predicate;
  if (bundle.trust.development) return;
  const changed = gardens.filter(
    ({ garden, digest }) => published.get(placeOf({ deployment, garden }))?.digest !== digest,
  );
  await yieldBetween(changed, ({ garden }) => {
    const proven = orNull(() => bundle.envelope(garden));
    if (proven === null) return;
    namingGarden(bundle, garden, () => {
      keepFacts(bundle, proven, published, context.withdrawn);
    });
  });
}

/** Adds the garden and its digest to the error. */
function namingGarden<T>(bundle: OpenBundle, garden: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const digest = bundle.root.predicate.gardens.find((it) => it.garden === garden)?.digest;
    const { code, details } = error instanceof VadeError ? error : { code: 'bundle_unverified' as const, details: {} };
    throw new VadeError(code, `garden ${garden}: ${messageOf(error)}`, { ...details, garden, digest });
  }
}
