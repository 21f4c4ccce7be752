import { Freshness, FRESHNESS_TYPE } from '../model/freshness.ts';
import { refuse } from '../model/refusal.ts';
import type { TrustRoot } from '../model/trustroot.ts';
import { canonicalBytes } from './canonical.ts';
import { openEnvelope, sealEnvelope, type Signer } from './dsse.ts';
import { readPayload } from './payload.ts';

/** Signs that a revision is still the newest. */
export function sealFreshness(freshness: Freshness, signers: readonly Signer[]): Buffer {
  return sealEnvelope(FRESHNESS_TYPE, canonicalBytes(freshness), signers);
}

/**
 * Proves a freshness statement: by the keys for freshness, or for bundles where the root names none of its own.
 *
 * @param of the bundle it has to speak of
 * @throws bundle_unverified: not_fresh for another revision, or when its time is over
 */
export function openFreshness(
  bytes: Buffer,
  root: TrustRoot,
  of: Pick<Freshness, 'deployment' | 'revision'>,
  now: string,
): Freshness {
  const role = root.roles.freshness ?? root.roles.bundle;
  const freshness = readPayload(
    Freshness,
    openEnvelope(bytes, FRESHNESS_TYPE, root, role, now),
    'a freshness statement',
  );
  if (freshness.deployment !== of.deployment) throw refuse('statement_misplaced', 'freshness of another deployment');
  if (freshness.revision !== of.revision) throw refuse('not_fresh', 'the freshness statement is of another revision');
  if (Date.parse(freshness.expires) <= Date.parse(now)) {
    throw refuse('not_fresh', `the freshness statement expired at ${freshness.expires}`);
  }
  return freshness;
}
