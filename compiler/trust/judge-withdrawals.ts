import type { KeyObject } from 'node:crypto';
import { Withdrawal, WITHDRAWAL_TYPE } from '../schema/bundle/withdrawal.ts';
import { VadeError } from '../schema/errors.ts';
import { refuse, type Refusal } from '../schema/refusals.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { ownersOf } from './approval.ts';
import { byText, canonicalBytes, sha256 } from './canonical.ts';
import { holdingKeys, isKeyOver } from './dsse.ts';
import { publicKeyOf } from './public-key.ts';
import { readPayload } from './read-payload.ts';
import { envelopesOf, withdrawingKeys, withdrawnKey } from './withdrawal.ts';

/** What the records of a list are judged by. */
export interface Judging {
  readonly deployment: string;
  /** The chain of trust, oldest first; the last root is the one in force. */
  readonly chain: readonly TrustRoot[];
  /** ISO 8601, for the validity of administrators' keys. */
  readonly now: string;
  /** Taken out by the signed root itself, as `series digest`. */
  readonly carried: ReadonlySet<string>;
  /** What a signed freshness statement says was withdrawn when it was signed. */
  readonly bound: readonly string[];
}

/** A record that nothing vouches for, and why. */
export interface SkippedRecord {
  /** sha256 of its canonical bytes. */
  readonly record: string;
  readonly reason: Refusal;
  readonly message: string;
}

/** What is withdrawn, by all that is known. */
export interface Withdrawals {
  /** Facts that are out, as `series digest`. */
  readonly keys: ReadonlySet<string>;
  /** Of these, the ones that the list gives; in order. */
  readonly listed: readonly string[];
  /** Of these, the ones whose signers are in force no longer: only the freshness statement still speaks for them. */
  readonly outlived: readonly string[];
  /** An envelope that administrators signed for each of these that has one. */
  readonly envelopes: ReadonlyMap<string, unknown>;
  readonly skipped: readonly SkippedRecord[];
  /** What the freshness statement binds, and neither list nor root has: the list was cut short. */
  readonly missing: readonly string[];
}

/**
 * Judges `withdrawn.dsse.json`, record by record. A new order takes administrators of the root in force; one by those of
 * an earlier root counts where something signed since says that it was there in their time: the root of the bundle, or
 * the freshness statement. Dates inside a record prove nothing. A record that does not hold is skipped, and takes no
 * other with it.
 *
 * @throws bundle_unverified: format_unknown where no record can be told from another
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
    // what is out by another record, or by the root, loses nothing by this one
    skipped: records.flatMap((it) => (it.current === null || keys.has(it.key) ? [] : toSkipped(it, it.current))),
    missing: [...remembered].filter((it) => !keys.has(it)).sort(byText),
  };
}

interface JudgedRecord {
  readonly envelope: unknown;
  /** Canonical; empty where it has no such form. */
  readonly bytes: Buffer;
  /** Empty where it cannot be read. */
  readonly key: string;
  /** Why it is no order of administrators in force; null where it is one. */
  readonly current: VadeError | null;
  /** Whether it was an order under any root of the chain. */
  readonly wasOrdered: boolean;
}

function readRecord(envelope: unknown, { deployment, chain, now }: Judging): JudgedRecord {
  let bytes: Buffer = Buffer.alloc(0);
  try {
    bytes = bytesOf(envelope);
    const { payload, keyids } = holdingKeys(bytes, WITHDRAWAL_TYPE, keysOf(chain));
    const withdrawal = readPayload(Withdrawal, payload, 'a withdrawal');
    if (withdrawal.deployment !== deployment) {
      throw refuse('statement_misplaced', `a withdrawal of deployment ${withdrawal.deployment}`);
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

/** Untrusted input: what is nested deeper than the stack has no canonical form. */
function bytesOf(envelope: unknown): Buffer {
  try {
    return canonicalBytes(envelope);
  } catch {
    throw refuse('envelope_malformed', 'not a DSSE envelope');
  }
}

/** Why these signatures are no order under a trust root; null where they are. */
function whyNot(root: TrustRoot, keyids: readonly string[], now: string | null): VadeError | null {
  const allowed = withdrawingKeys(root);
  const known = keyids.filter((it) => allowed.includes(it));
  if (known.length === 0) return refuse('key_unknown', 'no administrator of the trust root in force signed it');
  const inTime = known.filter((it) => !isKeyOver(root, it, now));
  if (inTime.length === 0) return refuse('key_expired', 'the keys that signed it are no longer valid');
  const count = ownersOf(root, inTime).length;
  if (root.development || count >= root.thresholds.withdrawal) return null;
  return refuse('signatures_missing', `${count} of ${root.thresholds.withdrawal} administrators signed it`);
}

/** Every key that any of these roots lets withdraw: a key's id names the key, whichever root it stands in. */
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
