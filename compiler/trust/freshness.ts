import { Freshness, FRESHNESS_TYPE } from '../schema/bundle/freshness.ts';
import { refuse } from '../schema/refusals.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { canonicalBytes } from './canonical.ts';
import { openEnvelope, signEnvelope, type Signer } from './dsse.ts';
import { readPayload } from './read-payload.ts';

/** Signs that a revision is the newest one, with the list of withdrawn facts. */
export function signFreshness(freshness: Freshness, signers: readonly Signer[]): Buffer {
  return signEnvelope(FRESHNESS_TYPE, canonicalBytes(freshness), signers);
}

/**
 * Verifies a freshness statement with the keys for freshness, or those for bundles if the root names none.
 *
 * @param of the bundle that the statement must name
 * @throws bundle_unverified: not_fresh for another revision, or if the statement has expired
 */
export function openFreshness(
  bytes: Buffer,
  root: TrustRoot,
  of: Pick<Freshness, 'deployment' | 'revision'>,
  now: string,
): Freshness {
  const freshness = readFreshness(bytes, root, of.deployment, now);
  if (freshness.revision !== of.revision) throw refuse('not_fresh', 'the freshness statement is for another revision');
  if (Date.parse(freshness.expires) <= Date.parse(now)) {
    throw refuse('not_fresh', `the freshness statement expired at ${freshness.expires}`);
  }
  return freshness;
}

/**
 * Verifies the signatures of a freshness statement, but neither its revision nor its expiry: what it lists as withdrawn
 * stays withdrawn.
 *
 * @throws bundle_unverified
 */
export function readFreshness(bytes: Buffer, root: TrustRoot, deployment: string, now: string): Freshness {
  const role = root.roles.freshness ?? root.roles.bundle;
  const payload = openEnvelope(bytes, FRESHNESS_TYPE, root, role, now);
  const freshness = readPayload(Freshness, payload, 'a freshness statement');
  if (freshness.deployment !== deployment)
    throw refuse('statement_misplaced', 'the freshness statement is for another deployment');
  return freshness;
}

/** Withdrawals that a signed freshness statement lists; empty without a valid statement. */
export function boundBy(bytes: Buffer | null, root: TrustRoot, deployment: string, now: string): readonly string[] {
  try {
    return bytes ? readFreshness(bytes, root, deployment, now).withdrawals : [];
  } catch {
    return [];
  }
}
