import { isDeepStrictEqual } from 'node:util';
import type { OpenBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { hasPermission, isReturnAllowed } from '../../compiler/io/bundle/sidecar-files.ts';
import { orNull } from '../../compiler/schema/or-null.ts';
import { refuse } from '../../compiler/schema/refusals.ts';
import { assertNotOlder } from '../../compiler/trust/rollback.ts';
import type { SignedRoot } from '../../compiler/trust/root-chain.ts';
import { readRollbackMemory, writeRollbackMemory, type ServedBundle } from '../audit/rollback-memory.ts';

/**
 * Refuses a bundle older than the newest one served, across restarts (DESIGN §7, §8). Only administrators of the newest
 * trust root that was ever served may authorise a return, whatever root the older bundle has. Development bundles are
 * exempt: they are recompiled from the same commit all day.
 *
 * @param path of the state file, in the folder of the audit
 * @returns whether administrators authorised a rollback to the bundle
 * @throws bundle_unverified: trust_lower, trust_mismatch, serial_lower, serial_forked; output_failed
 */
export function assertNewest(path: string, bundle: OpenBundle): { readonly isRollback: boolean } {
  const { root, revision, trust, now } = bundle;
  if (trust.development) return { isRollback: false };
  const { deployment, serial } = root.predicate;
  const before = readRollbackMemory(path).get(deployment);
  const authority = newerOf(before, bundle).root;
  let allowed: boolean | undefined;
  const isAllowed = () => (allowed ??= isReturnAllowed(bundle, authority, now));
  if (before) {
    assertSameTrust(before, bundle);
    const known = { ...before, trust_version: before.trust.root.version };
    assertNotOlder(known, { serial, revision, trust_version: trust.version }, isAllowed);
  }
  // a permission that does not verify allows nothing, and does not stop a bundle that needs none
  return { isRollback: hasPermission(bundle) && orNull(isAllowed) === true };
}

/** Records a bundle as the newest served one; without the record it is not served. @throws output_failed */
export function rememberServed(path: string, bundle: OpenBundle): void {
  const { root, revision } = bundle;
  if (bundle.trust.development) return;
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
