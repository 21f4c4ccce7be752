import type { KeyObject } from 'node:crypto';
import { Withdrawal, WITHDRAWAL_TYPE } from '../schema/bundle/withdrawal.ts';
import { VadeError } from '../schema/errors.ts';
import { refuse, type Refusal } from '../schema/refusals.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { ownersOf } from './approval.ts';
import { byText, canonicalBytes, sha256 } from './canonical.ts';
import { validKeys, isKeyExpired } from './dsse.ts';
import { publicKeyOf } from './public-key.ts';
import { readPayload } from './read-payload.ts';
import { envelopesOf, withdrawingKeys, withdrawnKey } from './withdrawal.ts';

/** The input for verifying the records of a list. */
export interface Judging {
  readonly deployment: string;
  /** The chain of trust, oldest first; the last root is the one in force. */
  readonly chain: readonly TrustRoot[];
  /** ISO 8601, for the validity of administrators' keys. */
  readonly now: string;
  /** Facts that the signed root itself lists as withdrawn, as `series digest`. */
  readonly carried: ReadonlySet<string>;
  /** Facts that a signed freshness statement lists as withdrawn. */
  readonly bound: readonly string[];
}

/** An invalid record, and the reason. */
export interface SkippedRecord {
  /** sha256 of its canonical bytes. */
  readonly record: string;
  readonly reason: Refusal;
  readonly message: string;
}

/** The withdrawn facts, from all sources together. */
export interface Withdrawals {
  /** All withdrawn facts, as `series digest`. */
  readonly keys: ReadonlySet<string>;
  /** The facts that valid records of the list withdraw; sorted. */
  readonly listed: readonly string[];
  /** The listed facts whose signers are no longer in force: only the freshness statement confirms them. */
  readonly outlived: readonly string[];
  /** The signed order for each withdrawn fact that has one. */
  readonly envelopes: ReadonlyMap<string, unknown>;
  readonly skipped: readonly SkippedRecord[];
  /** Facts that the freshness statement names, but neither list nor root: the list was shortened. */
  readonly missing: readonly string[];
}

/**
 * Verifies `withdrawn.dsse.json`, record by record. A new order needs administrators of the root in force. An order by
 * administrators of an earlier root counts only if the bundle's root or the freshness statement also names it: that
 * proves that it existed in their time, which dates inside a record do not. An invalid record is skipped; the others
 * still count.
 *
 * @throws bundle_unverified: format_unknown if the list cannot be split into records
 */
export function judgeWithdrawals(file: Buffer | null, judging: Judging): Withdrawals {
  const { carried, bound } = judging;
  const records = envelopesOf(file).map((it) => readRecord(it, judging));
  const inForce = new Set(records.flatMap((it) => (it.current === null ? it.key : [])));
  const remembered = new Set(bound);
  const outlived = records.filter((it) => it.wasOrdered && remembered.has(it.key) && !inForce.has(it.key));
  const listed = new Set([...inForce, ...outlived.map((it) => it.key)]);
  const keys = new Set([...carried, ...listed]);
  return {
    keys,
    listed: [...listed].sort(byText),
    outlived: [...new Set(outlived.map((it) => it.key))].filter((it) => !carried.has(it)).sort(byText),
    envelopes: new Map(records.filter((it) => it.wasOrdered && keys.has(it.key)).map((it) => [it.key, it.envelope])),
    // an invalid record does not matter if another record, or the root, withdraws the same fact
    skipped: records.flatMap((it) => (it.current === null || keys.has(it.key) ? [] : toSkipped(it, it.current))),
    missing: [...remembered].filter((it) => !keys.has(it)).sort(byText),
  };
}

interface JudgedRecord {
  readonly envelope: unknown;
  /** Canonical; empty if there is no canonical form. */
  readonly bytes: Buffer;
  /** Empty if the record cannot be read. */
  readonly key: string;
  /** Why it is no order of administrators in force; null if it is one. */
  readonly current: VadeError | null;
  /** Whether it was an order under any root of the chain. */
  readonly wasOrdered: boolean;
}

function readRecord(envelope: unknown, { deployment, chain, now }: Judging): JudgedRecord {
  let bytes: Buffer = Buffer.alloc(0);
  try {
    bytes = bytesOf(envelope);
    const { payload, keyids } = validKeys(bytes, WITHDRAWAL_TYPE, keysOf(chain));
    const withdrawal = readPayload(Withdrawal, payload, 'a withdrawal');
    if (withdrawal.deployment !== deployment) {
      throw refuse('statement_misplaced', `the withdrawal is for deployment ${withdrawal.deployment}`);
    }
    const root = chain.at(-1);
    const current = root ? whyNot(root, keyids, now) : refuse('key_unknown', 'there is no trust root');
    const wasOrdered = chain.some((it) => whyNot(it, keyids, null) === null);
    return { envelope, bytes, key: withdrawnKey(withdrawal), current, wasOrdered };
  } catch (error) {
    if (!(error instanceof VadeError)) throw error;
    return { envelope, bytes, key: '', current: error, wasOrdered: false };
  }
}

/** Untrusted input: deeply nested JSON overflows the stack. */
function bytesOf(envelope: unknown): Buffer {
  try {
    return canonicalBytes(envelope);
  } catch {
    throw refuse('envelope_malformed', 'not a DSSE envelope');
  }
}

/** Why these signatures are no valid order under a trust root; null if they are. */
function whyNot(root: TrustRoot, keyids: readonly string[], now: string | null): VadeError | null {
  const allowed = withdrawingKeys(root);
  const known = keyids.filter((it) => allowed.includes(it));
  if (known.length === 0) return refuse('key_unknown', 'no administrator of the trust root in force signed it');
  const inTime = known.filter((it) => !isKeyExpired(root, it, now));
  if (inTime.length === 0) return refuse('key_expired', 'the keys that signed it have expired');
  const count = ownersOf(root, inTime).length;
  if (root.development || count >= root.thresholds.withdrawal) return null;
  return refuse('signatures_missing', `${count} of ${root.thresholds.withdrawal} administrators signed it`);
}

/** The keys that may sign withdrawals under any of these roots. A key's ID is its digest, so IDs cannot collide. */
function keysOf(chain: readonly TrustRoot[]): ReadonlyMap<string, KeyObject> {
  const known = keysOfChains.get(chain);
  if (known) return known;
  const named = chain.flatMap((root) => withdrawingKeys(root).map((id) => [id, publicKeyOf(root, id)] as const));
  const keys = new Map(named);
  keysOfChains.set(chain, keys);
  return keys;
}

const keysOfChains = new WeakMap<readonly TrustRoot[], ReadonlyMap<string, KeyObject>>();

function toSkipped({ bytes }: JudgedRecord, { details, message }: VadeError): SkippedRecord {
  return { record: sha256(bytes), reason: details['reason'] as Refusal, message };
}
