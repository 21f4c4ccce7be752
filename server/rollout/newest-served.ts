import { isDeepStrictEqual } from 'node:util';
import { openBundle, type OpenBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { isReturnAllowed } from '../../compiler/io/bundle/sidecar-files.ts';
import { messageOf } from '../../compiler/schema/errors.ts';
import { orNull } from '../../compiler/schema/or-null.ts';
import { refuse } from '../../compiler/schema/refusals.ts';
import { assertNotOlder } from '../../compiler/trust/rollback.ts';
import type { SignedRoot } from '../../compiler/trust/root-chain.ts';
import { readRollbackMemory, writeRollbackMemory, type ServedBundle } from '../audit/rollback-memory.ts';
import { publishFacts, readPublished, writePublished, type PublishedFacts } from './published-facts.ts';

/**
 * Refuses a bundle older than the newest one served, across restarts (DESIGN §7, §8). Only administrators of the newest
 * trust root that was ever served may authorise a return, whatever root the older bundle has. Development bundles are
 * exempt: they are recompiled from the same commit all day.
 *
 * @param path of the state file, in the folder of the audit
 * @throws bundle_unverified: trust_lower, trust_mismatch, serial_lower, serial_forked; output_failed
 */
export function assertNewest(path: string, bundle: OpenBundle): void {
  const { root, revision, trust, now } = bundle;
  if (trust.development) return;
  const { deployment, serial } = root.predicate;
  const before = readRollbackMemory(path).get(deployment);
  if (before === undefined) return;
  assertSameTrust(before, bundle);
  const known = { ...before, trust_version: before.trust.root.version };
  const isAllowed = () => isReturnAllowed(bundle, newerOf(before, bundle).root, now);
  assertNotOlder(known, { serial, revision, trust_version: trust.version }, isAllowed);
}

/**
 * The facts that this server has published: of its record, or where that is missing or damaged, of the newest served
 * bundle.
 *
 * @param onFactsLost called if the record is damaged, or if nothing shows what was published
 */
export function factsBefore(
  bundle: OpenBundle,
  { folder, pinned, newestFile, factsFile, onFactsLost }: FactsContext,
): PublishedFacts {
  if (bundle.trust.development) return new Map();
  let damage: string | null = null;
  try {
    const kept = readPublished(factsFile);
    if (kept) return kept;
  } catch (error) {
    damage = messageOf(error);
  }
  const served = readRollbackMemory(newestFile).get(bundle.root.predicate.deployment);
  if (served === undefined) return new Map();
  const last = orNull(() => openBundle(folder, { pinned, now: bundle.now }, served.revision));
  const published = last ? factsOf(last) : null;
  if (published === null || damage !== null) onFactsLost(damage ?? 'it is missing', published !== null);
  return published ?? new Map();
}

interface FactsContext {
  readonly folder: string;
  readonly pinned: SignedRoot;
  readonly newestFile: string;
  readonly factsFile: string;
  readonly onFactsLost: (reason: string, isRestored: boolean) => void;
}

/** Null if a garden cannot be read. */
function factsOf(bundle: OpenBundle): PublishedFacts | null {
  const { deployment, gardens } = bundle.root.predicate;
  const published: PublishedFacts = new Map();
  for (const { garden } of gardens) {
    const proven = orNull(() => bundle.envelope(garden));
    if (proven === null) return null;
    const { digest, statement } = proven;
    publishFacts(published, { deployment, garden, digest, subjects: statement.subject }, new Set());
  }
  return published;
}

/**
 * Records a bundle as the newest served one, and its facts; without the record it is not served.
 *
 * @throws output_failed
 */
export function rememberServed(
  { newestFile: path, factsFile }: Pick<FactsContext, 'newestFile' | 'factsFile'>,
  bundle: OpenBundle,
  published: PublishedFacts,
): void {
  const { root, revision } = bundle;
  if (bundle.trust.development) return;
  writePublished(factsFile, published);
  const { deployment, serial } = root.predicate;
  const served = readRollbackMemory(path);
  const before = served.get(deployment);
  // also after a return to a bundle with an older trust root
  const trust = newerOf(before, bundle);
  if (before?.revision === revision && before.trust.root.version === trust.root.version) return;
  const digest = revision.slice(revision.indexOf('-') + 1);
  writeRollbackMemory(path, new Map([...served, [deployment, { serial, revision, digest, trust }]]));
}

function newerOf(before: ServedBundle | undefined, { signedTrust }: OpenBundle): SignedRoot {
  const known = before?.trust ?? signedTrust;
  return known.root.version > signedTrust.root.version ? known : signedTrust;
}

/** Whoever holds a retired root key could sign another successor of an older root. */
function assertSameTrust({ trust: known }: ServedBundle, { chain }: OpenBundle): void {
  const offered = chain.find((it) => it.version === known.root.version);
  if (offered === undefined || isDeepStrictEqual(offered, known.root)) return;
  throw refuse('trust_mismatch', `trust root ${offered.version} is not the one that was accepted before`);
}
