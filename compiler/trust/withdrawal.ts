import { MAX_ENVELOPE_BYTES } from '../schema/bundle/bundle.ts';
import type { FactVersion } from '../schema/bundle/fact.ts';
import { MAX_WITHDRAWALS, Withdrawal, WITHDRAWAL_TYPE, WithdrawnFile } from '../schema/bundle/withdrawal.ts';
import { refuse } from '../schema/refusals.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { textOfFile } from '../schema/text-file.ts';
import { adminKeys, ownersOf } from './approval.ts';
import { canonicalBytes, canonicalJson, byText } from './canonical.ts';
import { checkSignatures, signEnvelope, type Signer } from './dsse.ts';
import { readPayload } from './read-payload.ts';

/** A verified withdrawal, and the administrators who ordered it. */
export interface OrderedWithdrawal {
  readonly withdrawal: Withdrawal;
  readonly by: readonly string[];
}

/** Signs a withdrawal. */
export function signWithdrawal(withdrawal: Withdrawal, signers: readonly Signer[]): Buffer {
  return signEnvelope(WITHDRAWAL_TYPE, canonicalBytes(withdrawal), signers);
}

/**
 * Verifies a withdrawal that may lack signatures: at least one administrator has signed it; under a development root
 * its bundle key is enough.
 *
 * @returns the withdrawal; `missing` is how many more administrators must sign
 * @throws bundle_unverified
 */
export function readWithdrawal(
  bytes: Buffer,
  root: TrustRoot,
  now: string | null,
): OrderedWithdrawal & { readonly missing: number } {
  const allowed = withdrawingKeys(root);
  const { payload, keyids } = checkSignatures(bytes, WITHDRAWAL_TYPE, root, allowed, now);
  const by = ownersOf(root, keyids);
  const missing = root.development ? 0 : Math.max(0, root.thresholds.withdrawal - by.length);
  return { withdrawal: readPayload(Withdrawal, payload, 'a withdrawal'), by, missing };
}

/** The keys that may sign withdrawals under a trust root. */
export function withdrawingKeys(root: TrustRoot): string[] {
  return [...adminKeys(root), ...(root.development ? root.roles.bundle.keyids : [])];
}

/**
 * Verifies a complete withdrawal: as many administrators as the trust root requires have signed it.
 *
 * @throws bundle_unverified
 */
export function openWithdrawal(bytes: Buffer, root: TrustRoot, now: string | null): OrderedWithdrawal {
  const { missing, ...order } = readWithdrawal(bytes, root, now);
  if (missing === 0) return order;
  throw refuse('signatures_missing', `${order.by.length} of ${root.thresholds.withdrawal} administrators signed`);
}

/**
 * Adds an envelope to `withdrawn.dsse.json`. The list is sorted: the order of additions does not count.
 *
 * @throws bundle_unverified: format_unknown if the present list cannot be read; withdrawals_full
 */
export function addWithdrawal(file: Buffer | null, envelope: Buffer): Buffer {
  return listWithdrawals([...envelopesOf(file), JSON.parse(textOfFile(envelope))]);
}

/** `withdrawn.dsse.json` with these envelopes, each once. @throws bundle_unverified: withdrawals_full */
export function listWithdrawals(all: readonly unknown[]): Buffer {
  const once = new Map(all.map((it) => [canonicalJson(it), it]));
  const envelopes = [...once].sort(([a], [b]) => byText(a, b)).map(([, it]) => it);
  const bytes = canonicalBytes({ format: 1, envelopes });
  if (envelopes.length <= MAX_WITHDRAWALS && bytes.length <= MAX_ENVELOPE_BYTES) return bytes;
  throw refuse(
    'withdrawals_full',
    `the list may have at most ${MAX_WITHDRAWALS} withdrawals and ${MAX_ENVELOPE_BYTES} bytes`,
  );
}

/** The unverified records of `withdrawn.dsse.json`; none without a file. @throws bundle_unverified: format_unknown */
export function envelopesOf(file: Buffer | null): unknown[] {
  if (file === null) return [];
  try {
    return WithdrawnFile.parse(JSON.parse(textOfFile(file))).envelopes;
  } catch {
    const message = `the list of withdrawals cannot be read, or has more than ${MAX_WITHDRAWALS} records`;
    throw refuse('format_unknown', message);
  }
}

/** The key of a withdrawn fact: without the version, so that the same text cannot return as a later version. */
export function withdrawnKey({ fact_uri, digest }: Pick<Withdrawal, 'fact_uri' | 'digest'>): string {
  return `${fact_uri.replace(/\/v\d+$/, '')} ${digest}`;
}

/** Whether a fact is withdrawn. @param withdrawn as `withdrawnKey` */
export function isWithdrawn(
  withdrawn: ReadonlySet<string>,
  { uri, digest }: Pick<FactVersion, 'uri' | 'digest'>,
): boolean {
  return withdrawn.has(withdrawnKey({ fact_uri: uri, digest }));
}
