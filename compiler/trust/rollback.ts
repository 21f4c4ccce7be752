import { Rollback, ROLLBACK_TYPE } from '../schema/bundle/rollback.ts';
import type { VadeError } from '../schema/errors.ts';
import { orNull } from '../schema/or-null.ts';
import { refuse } from '../schema/refusals.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { adminKeys, ownersOf } from './approval.ts';
import { canonicalBytes } from './canonical.ts';
import { checkSignatures, peekPayload, signEnvelope, type Signer } from './dsse.ts';
import { readPayload } from './read-payload.ts';
import { assertInForce } from './root-chain.ts';

/** A bundle's position in the order of all compiled bundles. */
export interface BundlePosition {
  readonly serial: number;
  readonly revision: string;
  /** The version of the trust root in force. */
  readonly trust_version: number;
}

/**
 * Anti-rollback (DESIGN §7): refuses an older bundle even with a valid signature, a different bundle with the same
 * serial, and one that hides a trust root: a key which that root retired could sign it, with any serial. A bundle that
 * was accepted stays accepted: a permission to return to it expires.
 *
 * @param isAllowed whether administrators authorised a rollback to the offered bundle; only asked if it needs that
 * @throws bundle_unverified: trust_lower, serial_lower, serial_forked, and what `isAllowed` throws
 */
export function assertNotOlder(before: BundlePosition, offered: BundlePosition, isAllowed: () => boolean): void {
  if (offered.revision === before.revision) return;
  const refusal = refusalOf(before, offered);
  if (refusal !== null && !isAllowed()) throw refusal;
}

function refusalOf(before: BundlePosition, offered: BundlePosition): VadeError | null {
  const { trust_version: known, serial } = before;
  if (offered.trust_version < known)
    return refuse('trust_lower', `it has no trust root ${known}, which was accepted before`);
  if (offered.serial < serial)
    return refuse('serial_lower', `serial ${offered.serial} is older than ${serial}, which was accepted before`);
  if (offered.serial === serial)
    return refuse('serial_forked', `another bundle of serial ${serial} was accepted before`);
  return null;
}

/** Signs the authorisation of a rollback to an older root. */
export function signRollback(rollback: Rollback, signers: readonly Signer[]): Buffer {
  return signEnvelope(ROLLBACK_TYPE, canonicalBytes(rollback), signers);
}

/** An authorisation, and the administrators with a valid signature on it. */
export interface SignedRollback {
  readonly rollback: Rollback;
  readonly by: readonly string[];
  /** Number of administrators who must still sign. */
  readonly missing: number;
}

/**
 * Verifies an authorisation: at least one administrator of the trust root has signed it; under a development root its
 * bundle key is enough.
 *
 * @throws bundle_unverified
 */
export function readRollback(bytes: Buffer, root: TrustRoot, now: string): SignedRollback {
  const allowed = [...adminKeys(root), ...(root.development ? root.roles.bundle.keyids : [])];
  const { payload, keyids } = checkSignatures(bytes, ROLLBACK_TYPE, root, allowed, now);
  const by = ownersOf(root, keyids);
  const missing = root.development ? 0 : Math.max(0, root.thresholds.rollback - by.length);
  return { rollback: readPayload(Rollback, payload, 'a rollback'), by, missing };
}

/**
 * Verifies a complete authorisation: enough signatures, this deployment, not expired.
 *
 * @param root the newest known trust root, since a former administrator may not decide
 * @throws bundle_unverified
 */
export function openRollback(bytes: Buffer, root: TrustRoot, deployment: string, now: string): Rollback {
  assertInForce(root, now);
  const { rollback, by, missing } = readRollback(bytes, root, now);
  if (missing > 0) {
    throw refuse('signatures_missing', `${by.length} of ${root.thresholds.rollback} administrators signed`);
  }
  if (rollback.deployment !== deployment) throw refuse('statement_misplaced', 'the rollback is for another deployment');
  if (isExpired(rollback, now)) throw refuse('not_fresh', `the rollback expired at ${rollback.expires}`);
  return rollback;
}

/**
 * Whether an unverified authorisation has expired by its own date. No signature is needed: an expired authorisation
 * allows nothing.
 */
export function isLapsed(bytes: Buffer, now: string): boolean {
  return orNull(() => isExpired(peekRollback(bytes), now)) ?? false;
}

/** The content of an unverified authorisation: to add a signature to it. @throws bundle_unverified */
export function peekRollback(bytes: Buffer): Rollback {
  return readPayload(Rollback, peekPayload(bytes, ROLLBACK_TYPE), 'a rollback');
}

function isExpired({ expires }: Rollback, now: string): boolean {
  return Date.parse(expires) <= Date.parse(now);
}
