import { existsSync } from 'node:fs';
import { openBundle, type Belief, type OpenBundle } from '../io/bundle/open-bundle.ts';
import { readSidecar, ROLLBACK } from '../io/bundle/sidecar-files.ts';
import { verifyBundle } from '../io/bundle/verify-bundle.ts';
import { readCapped } from '../io/files/tree.ts';
import { MAX_ENVELOPE_BYTES } from '../schema/bundle/bundle.ts';
import { Rollback, ROLLBACK_TYPE } from '../schema/bundle/rollback.ts';
import { VadeError } from '../schema/errors.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { addSignature } from '../trust/add-signature.ts';
import type { Signer } from '../trust/dsse.ts';
import { isLapsed, openRollback, peekRollback, readRollback, signRollback } from '../trust/rollback.ts';

/** A root that the bundle keeps, proven whole, with what stands beside the bundle. */
export interface KeptRoot {
  readonly bundle: OpenBundle;
  /** The trust roots that have to agree to a return. */
  readonly trusts: readonly TrustRoot[];
  /** Why its freshness has to be signed anew; null where it has not. */
  readonly stale: string | null;
}

interface Which extends Belief {
  readonly revision: string;
  readonly from: string;
}

/** Proves all of a kept root, as `vade verify` does of the current one. @throws bundle_unverified */
export async function proveKeptRoot(folder: string, { revision, from, ...belief }: Which): Promise<KeptRoot> {
  const { steps } = await verifyBundle(folder, { ...belief, revision, garden: null, previous: null });
  const failed = steps.filter((it) => it.status === 'failed');
  // a permission is replaced, and freshness can only be signed of what is current
  const broken = failed.find(({ step }) => step !== 'rollback' && step !== 'freshness');
  if (broken) {
    const message = `${revision} is not returned to: ${broken.step} ${broken.of}: ${broken.message}`;
    throw new VadeError('bundle_unverified', message, { reason: broken.reason, steps });
  }
  const bundle = openBundle(folder, belief, revision);
  const stale = failed.find(({ step }) => step === 'freshness')?.message;
  return {
    bundle,
    trusts: [bundle.trust, ...currentTrust(folder, belief, from)],
    stale: stale === undefined ? null : `${stale}: run vade freshen`,
  };
}

/** Who left since has no say any more; a current root that is broken cannot be asked, and is why one returns. */
function currentTrust(folder: string, belief: Belief, revision: string): TrustRoot[] {
  try {
    return [openBundle(folder, belief, revision).trust];
  } catch {
    return [];
  }
}

/** A permission as it stands with one more signature. */
export interface Consent {
  readonly rollback: Rollback;
  readonly envelope: Buffer;
  readonly by: readonly string[];
  /** Whether enough administrators have signed for it to count. */
  readonly allowed: boolean;
  /** Whether it stands beside the bundle already. */
  readonly standing: boolean;
}

/**
 * The permission that stands, or what other administrators signed before with one more signature, or a new one.
 *
 * @param out file that collects signatures
 * @throws argument_invalid, approval_required, already_exists, bundle_unverified
 */
export function consentTo(wanted: Rollback, { bundle, trusts }: KeptRoot, signer: Signer, out: string | null): Consent {
  if (!Rollback.safeParse(wanted).success) {
    throw new VadeError('argument_invalid', '--reason is 1 to 2000 characters', { flag: 'reason' });
  }
  const { now } = bundle;
  const fresh = signRollback(wanted, [signer]);
  // who has no say adds nothing, whatever others signed
  for (const root of trusts) readRollback(fresh, root, now);
  const standing = standingIn(bundle, trusts);
  if (standing) return standing;
  const filed = out !== null && existsSync(out) ? readCapped(out, MAX_ENVELOPE_BYTES) : null;
  const others = filed && !isLapsed(filed, now) ? filed : null;
  if (others) assertSame(peekRollback(others), wanted);
  const envelope = others ? addSignature(others, ROLLBACK_TYPE, signer) : fresh;
  const missing = Math.max(...trusts.map((root) => readRollback(envelope, root, now).missing));
  if (missing > 0 && out === null) {
    const message = `${missing} more administrator(s) have to sign; --out files it for the next of them`;
    throw new VadeError('approval_required', message);
  }
  return { ...readRollback(envelope, bundle.trust, now), envelope, allowed: missing === 0, standing: false };
}

/** The permission beside the bundle, where it is of this root and holds. */
function standingIn({ folder, revision, root, trust, now }: OpenBundle, trusts: readonly TrustRoot[]): Consent | null {
  const envelope = readSidecar(folder, ROLLBACK);
  if (envelope === null) return null;
  try {
    for (const it of trusts) openRollback(envelope, it, root.predicate.deployment, now);
    const { rollback, by } = readRollback(envelope, trust, now);
    return rollback.revision === revision ? { rollback, by, envelope, allowed: true, standing: true } : null;
  } catch {
    // it is replaced
    return null;
  }
}

/** Who adds a signature says the same, and for no longer. @throws already_exists */
function assertSame(filed: Rollback, wanted: Rollback): void {
  const { deployment, revision, reason, expires } = filed;
  const same = deployment === wanted.deployment && revision === wanted.revision && reason === wanted.reason;
  if (same && Date.parse(expires) <= Date.parse(wanted.expires)) return;
  const message = `--out holds another permission: ${deployment} to ${revision} until ${expires}, because: ${reason}`;
  throw new VadeError('already_exists', message, { filed });
}
