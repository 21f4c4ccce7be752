import { existsSync } from 'node:fs';
import { newestTrust } from '../../io/bundle/newest-trust.ts';
import { openBundle, type Belief, type OpenBundle } from '../../io/bundle/open-bundle.ts';
import { readSidecar, ROLLBACK } from '../../io/bundle/sidecar-files.ts';
import { verifyBundle } from '../../io/bundle/verify-bundle.ts';
import { readCapped } from '../../io/files/tree.ts';
import { MAX_ENVELOPE_BYTES } from '../../schema/bundle/bundle.ts';
import { Rollback, ROLLBACK_TYPE } from '../../schema/bundle/rollback.ts';
import { VadeError } from '../../schema/errors.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { addSignature } from '../../trust/add-signature.ts';
import type { Signer } from '../../trust/dsse.ts';
import { isLapsed, openRollback, peekRollback, readRollback, signRollback } from '../../trust/rollback.ts';

/** An older root in the bundle's folder, fully verified, with the trust roots that decide about a rollback to it. */
export interface RetainedRoot {
  readonly bundle: OpenBundle;
  /** The trust roots whose administrators must approve the rollback. */
  readonly trusts: readonly TrustRoot[];
  /** Why its freshness must be signed again; null if it need not be. */
  readonly stale: string | null;
}

interface Which extends Belief {
  readonly revision: string;
}

/** Verifies all of an older root, as `vade verify` does for the current one. @throws bundle_unverified */
export async function verifyRetainedRoot(folder: string, { revision, ...belief }: Which): Promise<RetainedRoot> {
  const { steps } = await verifyBundle(folder, { ...belief, revision, garden: null, previous: null });
  const failed = steps.filter((it) => it.status === 'failed');
  // a new permission replaces the old one, and freshness can only be signed for the current root
  const broken = failed.find(({ step }) => step !== 'rollback' && step !== 'freshness');
  if (broken) {
    const message = `${revision} cannot be rolled back to: ${broken.step} ${broken.of}: ${broken.message}`;
    throw new VadeError('bundle_unverified', message, { reason: broken.reason, steps });
  }
  const bundle = openBundle(folder, belief, revision);
  const stale = failed.find(({ step }) => step === 'freshness')?.message;
  return {
    bundle,
    // both: a reader may know only the older one, and administrators who were removed since may not decide
    trusts: [bundle.trust, newestTrust(bundle, belief)],
    stale: stale === undefined ? null : `${stale}: run vade freshen`,
  };
}

/** A rollback permission with one more signature. */
export interface RollbackConsent {
  readonly rollback: Rollback;
  readonly envelope: Buffer;
  readonly by: readonly string[];
  /** Whether enough administrators have signed. */
  readonly allowed: boolean;
  /** Whether the bundle's folder already has it. */
  readonly isInPlace: boolean;
}

/**
 * The permission in the bundle's folder; else the permission that other administrators signed, with one more signature;
 * else a new one.
 *
 * @param out file that collects signatures
 * @throws argument_invalid, approval_required, already_exists, bundle_unverified
 */
export function addConsent(
  wanted: Rollback,
  { bundle, trusts }: RetainedRoot,
  signer: Signer,
  out: string | null,
): RollbackConsent {
  if (!Rollback.safeParse(wanted).success) {
    throw new VadeError('argument_invalid', '--reason must have 1 to 2000 characters', { flag: 'reason' });
  }
  const { now } = bundle;
  const fresh = signRollback(wanted, [signer]);
  // throws if the signer may not decide, whatever others signed
  for (const root of trusts) readRollback(fresh, root, now);
  const present = findPermission(bundle, trusts);
  if (present) return present;
  const filed = out !== null && existsSync(out) ? readCapped(out, MAX_ENVELOPE_BYTES) : null;
  const others = filed && !isLapsed(filed, now) ? filed : null;
  if (others) assertSame(peekRollback(others), wanted);
  const envelope = others ? addSignature(others, ROLLBACK_TYPE, signer) : fresh;
  const missing = Math.max(...trusts.map((root) => readRollback(envelope, root, now).missing));
  if (missing > 0 && out === null) {
    const message = `${missing} more administrator(s) must sign; --out writes a file for the next one`;
    throw new VadeError('approval_required', message);
  }
  return { ...readRollback(envelope, bundle.trust, now), envelope, allowed: missing === 0, isInPlace: false };
}

/** The permission in the bundle's folder, if it is for this root and valid. */
function findPermission(
  { folder, revision, root, trust, now }: OpenBundle,
  trusts: readonly TrustRoot[],
): RollbackConsent | null {
  const envelope = readSidecar(folder, ROLLBACK);
  if (envelope === null) return null;
  try {
    for (const it of trusts) openRollback(envelope, it, root.predicate.deployment, now);
    const { rollback, by } = readRollback(envelope, trust, now);
    return rollback.revision === revision ? { rollback, by, envelope, allowed: true, isInPlace: true } : null;
  } catch {
    // an invalid permission is replaced
    return null;
  }
}

/** A further signature must be for the same permission, and for no longer time. @throws already_exists */
function assertSame(filed: Rollback, wanted: Rollback): void {
  const { deployment, revision, reason, expires } = filed;
  const same = deployment === wanted.deployment && revision === wanted.revision && reason === wanted.reason;
  if (same && Date.parse(expires) <= Date.parse(wanted.expires)) return;
  const message = `--out already contains another permission: ${deployment} to ${revision} until ${expires}, because: ${reason}`;
  throw new VadeError('already_exists', message, { filed });
}
