import { refuse } from '../model/refusal.ts';
import { Rollback, ROLLBACK_TYPE } from '../model/rollback.ts';
import type { TrustRoot } from '../model/trustroot.ts';
import { adminKeys, ownersOf } from './approval.ts';
import { canonicalBytes } from './canonical.ts';
import { checkSignatures, sealEnvelope, type Signer } from './dsse.ts';
import { readPayload } from './payload.ts';

/** Where a bundle stands in the order of all that were compiled. */
export interface Standing {
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
export function assertNotOlder(before: Standing, offered: Standing, allowed: ReadonlySet<string>): void {
  if (allowed.has(offered.revision)) return;
  if (offered.serial < before.serial) {
    throw refuse('serial_lower', `serial ${offered.serial} is older than ${before.serial}, which was accepted before`);
  }
  if (offered.serial === before.serial && offered.revision !== before.revision) {
    throw refuse('serial_forked', `another bundle of serial ${before.serial} was accepted before`);
  }
}

/** Signs the permission to return to an older root. */
export function sealRollback(rollback: Rollback, signers: readonly Signer[]): Buffer {
  return sealEnvelope(ROLLBACK_TYPE, canonicalBytes(rollback), signers);
}

/**
 * The revision that administrators allow a return to.
 *
 * @throws bundle_unverified
 */
export function openRollback(bytes: Buffer, root: TrustRoot, deployment: string, now: string): Rollback {
  const { payload, keyids } = checkSignatures(bytes, ROLLBACK_TYPE, root, adminKeys(root), now);
  const by = ownersOf(root, keyids).length;
  if (by < root.thresholds.rollback) {
    throw refuse('signatures_missing', `${by} of ${root.thresholds.rollback} administrators signed`);
  }
  const rollback = readPayload(Rollback, payload, 'a rollback');
  if (rollback.deployment !== deployment) throw refuse('statement_misplaced', 'a rollback of another deployment');
  if (Date.parse(rollback.expires) <= Date.parse(now)) throw refuse('not_fresh', 'the rollback’s time is over');
  return rollback;
}
