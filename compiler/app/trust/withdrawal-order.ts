import { existsSync, readFileSync } from 'node:fs';
import type { OpenBundle } from '../../io/bundle/open-bundle.ts';
import type { FactVersion } from '../../schema/bundle/fact.ts';
import { Withdrawal, WITHDRAWAL_TYPE } from '../../schema/bundle/withdrawal.ts';
import { VadeError } from '../../schema/errors.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { addSignature } from '../../trust/add-signature.ts';
import { canonicalBytes } from '../../trust/canonical.ts';
import type { Signer } from '../../trust/dsse.ts';
import { readEnvelope } from '../../trust/envelope.ts';
import { readWithdrawal, signWithdrawal } from '../../trust/withdrawal.ts';
import { toSecond } from '../to-second.ts';

/** A withdrawal with one more signature. */
export interface Order {
  readonly withdrawal: Withdrawal;
  readonly envelope: Buffer;
  readonly by: readonly string[];
  /** Whether enough administrators have signed. */
  readonly holds: boolean;
  /** Whether the file in the working tree already is this envelope. */
  readonly filed: boolean;
}

interface WithdrawalRequest {
  readonly fact: FactVersion;
  readonly reason: string;
  readonly now: Date;
}

/**
 * Signs a new order, or adds a signature to the one in the working tree.
 *
 * @param path of the order in the working tree; null without one
 * @throws argument_invalid, bundle_unverified, already_exists, approval_required
 */
export function signOrder(
  wanted: WithdrawalRequest,
  { root, trust }: OpenBundle,
  signer: Signer,
  path: string | null,
): Order {
  const now = wanted.now.toISOString();
  const before = path !== null && existsSync(path) ? readFileSync(path) : null;
  const fresh = newWithdrawal(wanted, root.predicate.deployment);
  const own = signWithdrawal(fresh, [signer]);
  // refuses a signer who is not an administrator, whatever others signed
  readWithdrawal(own, trust, now);
  const envelope = before ? addSignature(proveSame(before, trust, now, fresh), WITHDRAWAL_TYPE, signer) : own;
  const { withdrawal, by, missing } = readWithdrawal(envelope, trust, now);
  if (missing > 0 && path === null) {
    const message = `${missing} more administrator(s) must sign; give --repo, so that they can sign the same file`;
    throw new VadeError('approval_required', message);
  }
  return { withdrawal, envelope, by, holds: missing === 0, filed: before !== null && written(before).equals(envelope) };
}

/** A checkout may have changed the line ends of the file. */
const written = (filed: Buffer) => canonicalBytes(readEnvelope(filed, WITHDRAWAL_TYPE));

/** @throws argument_invalid */
function newWithdrawal({ fact, reason, now }: WithdrawalRequest, deployment: string): Withdrawal {
  const { uri: fact_uri, digest } = fact;
  const fresh = Withdrawal.safeParse({ deployment, fact_uri, digest, reason, withdrawn_at: toSecond(now) });
  if (fresh.success) return fresh.data;
  throw new VadeError('argument_invalid', '--reason must have 1 to 2000 characters', { flag: 'reason' });
}

/** The existing order, if it is for the same fact. @throws already_exists, bundle_unverified */
function proveSame(filed: Buffer, root: TrustRoot, now: string, { fact_uri, digest }: Withdrawal): Buffer {
  const { withdrawal } = readWithdrawal(filed, root, now);
  if (withdrawal.fact_uri === fact_uri && withdrawal.digest === digest) return filed;
  throw new VadeError('already_exists', `the file contains another withdrawal than that of ${fact_uri}`);
}
