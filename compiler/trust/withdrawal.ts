import type { FactVersion } from '../model/fact.ts';
import { refuse } from '../model/refusal.ts';
import type { TrustRoot } from '../model/trustroot.ts';
import { Withdrawal, WITHDRAWAL_TYPE, WithdrawnFile } from '../model/withdrawal.ts';
import { adminKeys, ownersOf } from './approval.ts';
import { canonicalBytes, canonicalJson, byText } from './canonical.ts';
import { checkSignatures, sealEnvelope, type Signer } from './dsse.ts';
import { readPayload } from './payload.ts';

/** A withdrawal whose signatures hold, and the administrators who ordered it. */
export interface OrderedWithdrawal {
  readonly withdrawal: Withdrawal;
  readonly by: readonly string[];
}

/** Signs a withdrawal. */
export function sealWithdrawal(withdrawal: Withdrawal, signers: readonly Signer[]): Buffer {
  return sealEnvelope(WITHDRAWAL_TYPE, canonicalBytes(withdrawal), signers);
}

/**
 * A withdrawal as far as it is signed, by at least one administrator; under a development root by its signing key.
 *
 * @returns with how many more administrators have to sign
 * @throws bundle_unverified
 */
export function readWithdrawal(
  bytes: Buffer,
  root: TrustRoot,
  now: string | null,
): OrderedWithdrawal & { readonly missing: number } {
  const allowed = [...adminKeys(root), ...(root.development ? root.roles.bundle.keyids : [])];
  const { payload, keyids } = checkSignatures(bytes, WITHDRAWAL_TYPE, root, allowed, now);
  const by = ownersOf(root, keyids);
  const missing = root.development ? 0 : Math.max(0, root.thresholds.withdrawal - by.length);
  return { withdrawal: readPayload(Withdrawal, payload, 'a withdrawal'), by, missing };
}

/**
 * Proves a withdrawal: signed by as many administrators as the trust root asks for.
 *
 * @throws bundle_unverified
 */
export function openWithdrawal(bytes: Buffer, root: TrustRoot, now: string | null): OrderedWithdrawal {
  const { missing, ...order } = readWithdrawal(bytes, root, now);
  if (missing === 0) return order;
  throw refuse('signatures_missing', `${order.by.length} of ${root.thresholds.withdrawal} administrators signed`);
}

/** Adds an envelope to `withdrawn.dsse.json`; what is there stays, in one order whatever came first. */
export function addWithdrawal(file: Buffer | null, envelope: Buffer): Buffer {
  const added = JSON.parse(envelope.toString('utf8')) as unknown;
  const all = new Map([...envelopesOf(file), added].map((it) => [canonicalJson(it), it]));
  const envelopes = [...all].sort(([a], [b]) => byText(a, b)).map(([, it]) => it);
  return canonicalBytes({ format: 1, envelopes });
}

/**
 * The facts that `withdrawn.dsse.json` takes out, as `series digest`. One bad record takes the whole file down: what
 * an administrator ordered must not be lost silently.
 *
 * @param roots the chain of trust, oldest first
 * @throws bundle_unverified
 */
export function readWithdrawn(file: Buffer | null, roots: readonly TrustRoot[], deployment: string): Set<string> {
  const orders = envelopesOf(file).map((it) => openOrder(canonicalBytes(it), roots).withdrawal);
  if (orders.some((it) => it.deployment !== deployment)) {
    throw refuse('statement_misplaced', 'a withdrawal is of another deployment');
  }
  return new Set(orders.map(withdrawnKey));
}

/**
 * A withdrawal that any root of the chain vouches for: what an administrator took out stays out when they leave, and
 * when their key's time is over.
 *
 * @throws bundle_unverified
 */
export function openOrder(bytes: Buffer, roots: readonly TrustRoot[]): OrderedWithdrawal {
  let refusal: unknown = refuse('key_unknown', 'there is no trust root');
  for (const root of [...roots].reverse()) {
    try {
      return openWithdrawal(bytes, root, null);
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal as Error;
}

/** How a withdrawn fact is looked up: whatever its version, so that the same text does not come back as the next. */
export function withdrawnKey({ fact_uri, digest }: Pick<Withdrawal, 'fact_uri' | 'digest'>): string {
  return `${fact_uri.replace(/\/v\d+$/, '')} ${digest}`;
}

/** Whether a fact is among those that were taken out. @param withdrawn as `withdrawnKey` */
export function isWithdrawn(
  withdrawn: ReadonlySet<string>,
  { uri, digest }: Pick<FactVersion, 'uri' | 'digest'>,
): boolean {
  return withdrawn.has(withdrawnKey({ fact_uri: uri, digest }));
}

function envelopesOf(file: Buffer | null): unknown[] {
  if (file === null) return [];
  try {
    return WithdrawnFile.parse(JSON.parse(file.toString('utf8'))).envelopes;
  } catch {
    throw refuse('format_unknown', 'the list of withdrawals cannot be read');
  }
}
