import { Rollback, ROLLBACK_TYPE } from '../schema/bundle/rollback.ts';
import { refuse } from '../schema/refusals.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { adminKeys, ownersOf } from './approval.ts';
import { canonicalBytes } from './canonical.ts';
import { checkSignatures, peekPayload, signEnvelope, type Signer } from './dsse.ts';
import { readPayload } from './read-payload.ts';

/** Where a bundle stands in the order of all that were compiled. */
export interface BundlePosition {
  readonly serial: number;
  readonly revision: string;
}

/**
 * Anti-rollback (DESIGN §7): an older bundle with a valid signature is refused, and so is another one of the same
 * serial.
 *
 * @param allowed revisions that an administrator authorised a return to
 * @throws bundle_unverified: serial_lower, serial_forked
 */
export function assertNotOlder(before: BundlePosition, offered: BundlePosition, allowed: ReadonlySet<string>): void {
  if (allowed.has(offered.revision)) return;
  if (offered.serial < before.serial) {
    throw refuse('serial_lower', `serial ${offered.serial} is older than ${before.serial}, which was accepted before`);
  }
  if (offered.serial === before.serial && offered.revision !== before.revision) {
    throw refuse('serial_forked', `another bundle of serial ${before.serial} was accepted before`);
  }
}

/** Signs the permission to return to an older root. */
export function signRollback(rollback: Rollback, signers: readonly Signer[]): Buffer {
  return signEnvelope(ROLLBACK_TYPE, canonicalBytes(rollback), signers);
}

/** A permission, and the administrators whose signature of it holds. */
export interface SignedRollback {
  readonly rollback: Rollback;
  readonly by: readonly string[];
  /** How many more of them have to sign. */
  readonly missing: number;
}

/**
 * Reads a permission that at least one administrator of the trust root signed; under a development root its signing
 * key does.
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
 * The revision that administrators allow a return to.
 *
 * @throws bundle_unverified
 */
export function openRollback(bytes: Buffer, root: TrustRoot, deployment: string, now: string): Rollback {
  const { rollback, by, missing } = readRollback(bytes, root, now);
  if (missing > 0) {
    throw refuse('signatures_missing', `${by.length} of ${root.thresholds.rollback} administrators signed`);
  }
  if (rollback.deployment !== deployment) throw refuse('statement_misplaced', 'a rollback of another deployment');
  if (isOver(rollback, now)) throw refuse('not_fresh', 'the rollback’s time is over');
  return rollback;
}

/**
 * Whether a permission says itself that its time is over. Nobody vouches for that, and nobody has to: all it leads to is
 * that nothing is allowed.
 */
export function isLapsed(bytes: Buffer, now: string): boolean {
  try {
    return isOver(peekRollback(bytes), now);
  } catch {
    return false;
  }
}

/** What a permission says, with nobody vouching for it: to add a signature to it. @throws bundle_unverified */
export function peekRollback(bytes: Buffer): Rollback {
  return readPayload(Rollback, peekPayload(bytes, ROLLBACK_TYPE), 'a rollback');
}

function isOver({ expires }: Rollback, now: string): boolean {
  return Date.parse(expires) <= Date.parse(now);
}
