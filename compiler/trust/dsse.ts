import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { dsse } from '@sigstore/core';
import { z } from 'zod';
import { VadeError } from '../model/errors.ts';
import { refuse } from '../model/refusal.ts';
import type { Role, TrustRoot } from '../model/trustroot.ts';
import { canonicalBytes, sha256 } from './canonical.ts';

/** A DSSE envelope (github.com/secure-systems-lab/dsse), its payload still unproven. */
const Envelope = z.strictObject({
  payload: z.string(),
  payloadType: z.string(),
  signatures: z.array(z.strictObject({ keyid: z.string(), sig: z.string() })).max(64),
});

/** An Ed25519 signing key with the id of its public half. */
export interface Signer {
  readonly keyid: string;
  readonly publicPem: string;
  readonly sign: (message: Buffer) => Buffer;
}

/** The id of a public key: sha256 of its SubjectPublicKeyInfo. */
export function keyId(key: KeyObject): string {
  return sha256(key.export({ type: 'spki', format: 'der' }));
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
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // answered below: the parser's own message could quote the key
  }
  throw new VadeError('signing_key_required', 'the signing key is not an Ed25519 private key in PEM');
}

/** Signs a payload; Ed25519 is deterministic, so the same payload and keys give the same bytes. */
export function sealEnvelope(type: string, payload: Buffer, signers: readonly Signer[]): Buffer {
  const message = dsse.preAuthEncoding(type, payload);
  const signatures = signers.map((it) => ({
    keyid: it.keyid,
    sig: it.sign(message).toString('base64'),
  }));
  return canonicalBytes({ payload: payload.toString('base64'), payloadType: type, signatures });
}

/**
 * Proves an envelope against one role of a trust root and answers the payload; nothing of the payload
 * may be looked at before. Each key counts once, however often it signed.
 *
 * @param now ISO 8601; keys whose time is over by then do not count. Null where their time is not asked
 */
export function openEnvelope(bytes: Buffer, type: string, root: TrustRoot, role: Role, now: string | null): Buffer {
  return openSigned(bytes, type, root, role, now).payload;
}

/** The same, with the keys whose signatures hold. */
export function openSigned(bytes: Buffer, type: string, root: TrustRoot, role: Role, now: string | null): Proven {
  const proven = checkSignatures(bytes, type, root, role.keyids, now);
  if (proven.keyids.length < role.threshold) {
    const message = `${proven.keyids.length} of ${role.threshold} required signatures hold`;
    throw refuse('signatures_missing', message);
  }
  return proven;
}

/** A payload, and the keys whose signature over it holds, each once. */
export interface Proven {
  readonly payload: Buffer;
  readonly keyids: string[];
}

/**
 * Checks an envelope's signatures against keys of a trust root.
 *
 * @returns the payload and the keys whose signature holds, each once; at least one
 * @throws bundle_unverified: key_unknown, key_expired or signatures_missing where none holds
 */
export function checkSignatures(
  bytes: Buffer,
  type: string,
  root: TrustRoot,
  allowed: readonly string[],
  now: string | null,
): Proven {
  const envelope = readEnvelope(bytes, type);
  const payload = decode(envelope.payload);
  const message = dsse.preAuthEncoding(type, payload);
  const known = envelope.signatures.filter(({ keyid }) => allowed.includes(keyid));
  const inTime = known.filter(({ keyid }) => !isOver(root, keyid, now));
  const valid = new Set<string>();
  for (const { keyid, sig } of inTime) {
    if (valid.has(keyid)) continue;
    if (verify(null, message, publicKeyOf(root, keyid), Buffer.from(sig, 'base64'))) valid.add(keyid);
  }
  if (valid.size > 0) return { payload, keyids: [...valid] };
  if (known.length === 0) throw refuse('key_unknown', 'no key that the trust root names for this has signed');
  if (inTime.length === 0) throw refuse('key_expired', 'the keys that signed are no longer valid');
  throw refuse('signatures_missing', 'no signature holds');
}

function isOver(root: TrustRoot, keyid: string, now: string | null): boolean {
  const expires = root.keys[keyid]?.expires;
  return now !== null && expires !== undefined && Date.parse(expires) <= Date.parse(now);
}

/** The payload of an envelope that nothing vouches for yet: only to learn which keys to ask. */
export function peekPayload(bytes: Buffer, type: string): Buffer {
  return decode(readEnvelope(bytes, type).payload);
}

/** The keys that claim to have signed an envelope. */
export function claimedKeyIds(bytes: Buffer, type: string): string[] {
  return readEnvelope(bytes, type).signatures.map((it) => it.keyid);
}

export function readEnvelope(bytes: Buffer, type: string): z.infer<typeof Envelope> {
  const parsed = Envelope.safeParse(parseJson(bytes));
  if (!parsed.success) throw refuse('envelope_malformed', 'not a DSSE envelope');
  if (parsed.data.payloadType !== type) throw refuse('payload_type_wrong', 'the envelope holds another payload type');
  return parsed.data;
}

/** Base64 as an encoder writes it: nothing of the text is skipped. @throws bundle_unverified: envelope_malformed */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (bytes.length === (text.length / 4) * 3 - padding) return bytes;
  throw refuse('envelope_malformed', 'the payload of the envelope is not base64');
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw refuse('envelope_malformed', 'not JSON');
  }
}

/** Parsed once for each root: a bundle asks for the same key a thousand times. */
const parsedKeys = new WeakMap<TrustRoot, Map<string, KeyObject>>();

function publicKeyOf(root: TrustRoot, keyid: string): KeyObject {
  const known = parsedKeys.get(root) ?? new Map<string, KeyObject>();
  parsedKeys.set(root, known);
  const key = known.get(keyid) ?? parsePublicKey(keyid, root.keys[keyid]?.public ?? '');
  known.set(keyid, key);
  return key;
}

function parsePublicKey(keyid: string, pem: string): KeyObject {
  try {
    // a private key would pass for its public half, and be published with the root
    const key = createPublicKey(pem.includes('PRIVATE KEY') ? '' : pem);
    if (key.asymmetricKeyType === 'ed25519' && keyId(key) === keyid) return key;
  } catch {
    // not a key at all: told like one that has another id
  }
  throw refuse('trust_broken', 'the trust root names a key by another id');
}
