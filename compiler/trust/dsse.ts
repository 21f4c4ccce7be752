import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
// the file alone: the whole package reads certificates too, and takes time at each start
import { preAuthEncoding } from '@sigstore/core/dist/dsse.js';
import { MAX_ENVELOPE_BYTES } from '../schema/bundle/bundle.ts';
import { VadeError } from '../schema/errors.ts';
import { refuse } from '../schema/refusals.ts';
import type { SignerThreshold, TrustRoot } from '../schema/source/trust-root.ts';
import { asWritten } from '../schema/text-file.ts';
import { decodePayload, envelopeOf, readEnvelope, type Signature } from './envelope.ts';
import { keyId, publicKeyOf } from './public-key.ts';

/** An Ed25519 signing key with the ID of its public key. */
export interface Signer {
  readonly keyid: string;
  readonly publicPem: string;
  readonly sign: (message: Buffer) => Buffer;
}

/** Reads an Ed25519 private key in PEM; any other key is refused. The PEM never reaches a message. */
export function signerFromPem(pem: string): Signer {
  const key = parsePrivateKey(pem);
  const publicKey = createPublicKey(key);
  return {
    keyid: keyId(publicKey),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (message) => sign(null, message, key),
  };
}

function parsePrivateKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(asWritten(pem));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // the parser's own message could quote the key, so it is replaced by the one below
  }
  throw new VadeError('signing_key_required', 'the signing key is not an Ed25519 private key in PEM');
}

/**
 * Signs a payload; Ed25519 is deterministic, so the same payload and keys give the same bytes.
 *
 * @param limit the most bytes that readers of the envelope read
 * @throws output_failed for an envelope that nothing could read
 */
export function signEnvelope(
  type: string,
  payload: Buffer,
  signers: readonly Signer[],
  limit = MAX_ENVELOPE_BYTES,
): Buffer {
  const message = preAuthEncoding(type, payload);
  const signatures = signers.map((it) => ({
    keyid: it.keyid,
    sig: it.sign(message).toString('base64'),
  }));
  return envelopeOf({ payload: payload.toString('base64'), payloadType: type, signatures }, limit);
}

/**
 * Verifies an envelope against one role of a trust root and returns the payload, which must not be read before. Each
 * key counts once, even if it signed several times.
 *
 * @param now ISO 8601; keys that have expired by then do not count. Null to ignore expiry
 */
export function openEnvelope(
  bytes: Buffer,
  type: string,
  root: TrustRoot,
  role: SignerThreshold,
  now: string | null,
): Buffer {
  return openSigned(bytes, type, root, role, now).payload;
}

/** Like `openEnvelope`, but also returns the keys with valid signatures. */
export function openSigned(
  bytes: Buffer,
  type: string,
  root: TrustRoot,
  role: SignerThreshold,
  now: string | null,
): Proven {
  const proven = checkSignatures(bytes, type, root, role.keyids, now);
  if (proven.keyids.length < role.threshold) {
    const message = `${proven.keyids.length} of ${role.threshold} required signatures are valid`;
    throw refuse('signatures_missing', message);
  }
  return proven;
}

/** A payload, and the keys with a valid signature over it, each once. */
export interface Proven {
  readonly payload: Buffer;
  readonly keyids: string[];
}

/**
 * Checks an envelope's signatures against keys of a trust root.
 *
 * @returns the payload and the keys with a valid signature, each once; at least one
 * @throws bundle_unverified: key_unknown, key_expired or signatures_missing if there is no valid signature
 */
export function checkSignatures(
  bytes: Buffer,
  type: string,
  root: TrustRoot,
  allowed: readonly string[],
  now: string | null,
): Proven {
  const { payload, message, signatures, checked } = parsedAhead(bytes, type) ?? parse(bytes, type);
  const known = signatures.filter(({ keyid }) => allowed.includes(keyid));
  const inTime = known.filter(({ keyid }) => !isKeyExpired(root, keyid, now));
  const valid = new Set<string>();
  for (const it of inTime) {
    if (valid.has(it.keyid)) continue;
    const key = publicKeyOf(root, it.keyid);
    if (checked.get(it) ?? verify(null, message, key, Buffer.from(it.sig, 'base64'))) valid.add(it.keyid);
  }
  if (valid.size > 0) return { payload, keyids: [...valid] };
  if (known.length === 0) throw refuse('key_unknown', 'no key that the trust root names for this purpose has signed');
  if (inTime.length === 0) throw refuse('key_expired', 'the keys that signed have expired');
  throw refuse('signatures_missing', 'no signature is valid');
}

/**
 * Those of `keys` that have a valid signature over an envelope. Untrusted input: only one signature of each key is
 * checked, so that an envelope costs no more checks than there are keys.
 *
 * @throws bundle_unverified: envelope_malformed, payload_type_wrong
 */
export function validKeys(bytes: Buffer, type: string, keys: ReadonlyMap<string, KeyObject>): Proven {
  const { payload, message, signatures } = parse(bytes, type);
  const claimed = new Map(signatures.map(({ keyid, sig }) => [keyid, sig]));
  const isValid = ([keyid, sig]: readonly [string, string]) => {
    const key = keys.get(keyid);
    return key !== undefined && verify(null, message, key, Buffer.from(sig, 'base64'));
  };
  return { payload, keyids: [...claimed].filter(isValid).map(([keyid]) => keyid) };
}

/** The parts of an unverified envelope. */
interface Parsed {
  readonly type: string;
  readonly payload: Buffer;
  readonly message: Buffer;
  readonly signatures: readonly Signature[];
  /** Results of signatures that `checkAhead` has checked. */
  readonly checked: Map<Signature, boolean>;
}

function parse(bytes: Buffer, type: string): Parsed {
  const { payload: text, signatures } = readEnvelope(bytes, type);
  const payload = decodePayload(text);
  return { type, payload, message: preAuthEncoding(type, payload), signatures, checked: new Map() };
}

/** Results of `checkAhead`, by buffer object. Safe because no code writes to such a buffer. */
const ahead = new WeakMap<Buffer, Parsed>();

function parsedAhead(bytes: Buffer, type: string): Parsed | null {
  const parsed = ahead.get(bytes);
  return parsed?.type === type ? parsed : null;
}

const verifyInThread = promisify<null, Buffer, KeyObject, Buffer, boolean>(verify);

/**
 * Checks an envelope's signatures in other threads, so that `checkSignatures` of the same buffer only has to look the
 * results up. This function accepts and refuses nothing.
 */
export async function checkAhead(bytes: Buffer, type: string, root: TrustRoot, allowed: readonly string[]) {
  try {
    const parsed = parse(bytes, type);
    const { message, signatures, checked } = parsed;
    const known = signatures.filter(({ keyid }) => allowed.includes(keyid));
    const check = async (it: Signature) => {
      checked.set(it, await verifyInThread(null, message, publicKeyOf(root, it.keyid), Buffer.from(it.sig, 'base64')));
    };
    await Promise.all(known.map(check));
    ahead.set(bytes, parsed);
  } catch {
    // `checkSignatures` reports what is wrong with the envelope
  }
}

/** Whether a key of a trust root has expired. @param now ISO 8601; null to ignore expiry */
export function isKeyExpired(root: TrustRoot, keyid: string, now: string | null): boolean {
  const expires = root.keys[keyid]?.expires;
  return now !== null && expires !== undefined && Date.parse(expires) <= Date.parse(now);
}

/** The payload of an unverified envelope: only to find out which keys must verify it. */
export function peekPayload(bytes: Buffer, type: string): Buffer {
  return decodePayload(readEnvelope(bytes, type).payload);
}

/** The keys that claim to have signed an envelope. */
export function claimedKeyIds(bytes: Buffer, type: string): string[] {
  return readEnvelope(bytes, type).signatures.map((it) => it.keyid);
}
