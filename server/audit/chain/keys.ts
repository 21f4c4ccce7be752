import { createPublicKey, randomBytes, verify, type KeyObject } from 'node:crypto';
import { dsse } from '@sigstore/core';
import { replaceFile } from '../../../compiler/io/files/durable.ts';
import { readIfThere } from '../../../compiler/io/files/file.ts';
import { CHECKPOINT_TYPE } from '../../../compiler/schema/audit/checkpoint.ts';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';
import { readEnvelope, signEnvelope, signerFromPem, type Signer } from '../../../compiler/trust/dsse.ts';
import { keyId } from '../../../compiler/trust/public-key.ts';
import { newSigningKey } from '../../../compiler/trust/root-chain.ts';
import type { SignCheckpoint } from './checkpointer.ts';
import type { Prove } from './verify-chain.ts';

/** A secret shorter than this could be guessed, or be what a crash left of one. */
const MIN_KEY_LENGTH = 16;

/**
 * The keys that audit tokens are MACed with; instances that share a load share them. Without `given` one is made, and
 * kept beside the audit.
 *
 * @param given `VADE_AUDIT_KEY`: keys between commas; the first issues, all judge, so that one can follow another
 * @throws argument_invalid where one is too short
 */
export function auditKeys(given: string | undefined, state: string): readonly [Buffer, ...Buffer[]] {
  const path = `${state}.key`;
  const own = given === undefined || given === '';
  const text = own ? keptSecret(path, () => randomBytes(32).toString('hex')) : given;
  const secrets = own ? [text] : text.split(',').map((it) => it.trim());
  const [first = '', ...others] = secrets;
  if (secrets.some((it) => it.length < MIN_KEY_LENGTH)) {
    const from = own ? path : 'a key in VADE_AUDIT_KEY';
    throw new VadeError('argument_invalid', `${from} holds fewer than ${MIN_KEY_LENGTH} characters`);
  }
  return [Buffer.from(first), ...others.map((it) => Buffer.from(it))];
}

/**
 * What a file keeps for its owner alone; made where there is none, or an empty one, as a crash may leave it.
 *
 * @throws output_failed
 */
function keptSecret(path: string, make: () => string): string {
  try {
    const kept = readText(path) ?? '';
    if (kept !== '') return kept;
    const made = make();
    replaceFile(path, made, { mode: 0o600 });
    return made;
  } catch (error) {
    throw new VadeError('output_failed', `${path} cannot be kept: ${messageOf(error)}`);
  }
}

/**
 * The key that checkpoints are signed with. Without `given` one is made and kept beside the audit; its public half is
 * written there too, for whoever verifies, under the ones that were there before.
 *
 * @param given `VADE_CHECKPOINT_KEY`, an Ed25519 key in PEM
 * @throws signing_key_required where it is none
 */
export function checkpointSigner(given: string | undefined, state: string): Signer {
  const own = given === undefined || given === '';
  const signer = signerFromPem(own ? keptSecret(`${state}.checkpoint.pem`, newSigningKey) : given);
  const path = `${state}.checkpoint.pub`;
  const known = readKept(path) ?? '';
  if (!known.includes(signer.publicPem)) replaceFile(path, `${known}${signer.publicPem}`);
  return signer;
}

/** The signer of an audit that is there already. @throws signing_key_required where its key is not */
export function knownSigner(given: string | undefined, state: string): Signer {
  const path = `${state}.checkpoint.pem`;
  if (given !== undefined && given !== '') return signerFromPem(given);
  const kept = readKept(path);
  if (kept === null) throw new VadeError('signing_key_required', `there is no ${path}, and no VADE_CHECKPOINT_KEY`);
  return signerFromPem(kept);
}

/** Some hundreds of keys, one under the other. */
const MAX_KEYS_BYTES = 65_536;

function readText(path: string): string | null {
  return readIfThere(path, MAX_KEYS_BYTES)?.toString('utf8') ?? null;
}

/** What is kept beside an audit; null where there is nothing. @throws output_failed for what cannot be read */
export function readKept(path: string): string | null {
  try {
    return readText(path);
  } catch (error) {
    throw new VadeError('output_failed', `${path} cannot be read: ${messageOf(error)}`);
  }
}

/** Signs what is said about a chain, in a DSSE envelope. */
export function checkpointSignerOf(signer: Signer): SignCheckpoint {
  return (point) => signEnvelope(CHECKPOINT_TYPE, canonicalBytes(point), [signer]).toString();
}

const PUBLIC_KEY = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

/**
 * Proves envelopes against public keys.
 *
 * @param pems one or more Ed25519 public keys in PEM
 * @throws argument_invalid where there is none
 */
export function proverOf(pems: string): Prove {
  const keys = new Map([...pems.matchAll(PUBLIC_KEY)].map(([pem]) => publicKeyOf(pem)).map((key) => [keyId(key), key]));
  if (keys.size === 0) throw new VadeError('argument_invalid', 'no Ed25519 public key in PEM was given');
  return (text) => {
    const envelope = readEnvelope(Buffer.from(text), CHECKPOINT_TYPE);
    const payload = Buffer.from(envelope.payload, 'base64');
    const message = dsse.preAuthEncoding(CHECKPOINT_TYPE, payload);
    const holds = envelope.signatures.some(({ keyid, sig }) => {
      const key = keys.get(keyid);
      return key !== undefined && verify(null, message, key, Buffer.from(sig, 'base64'));
    });
    if (!holds) throw new Error('no signature holds');
    return JSON.parse(payload.toString('utf8')) as unknown;
  };
}

function publicKeyOf(pem: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // told below
  }
  throw new VadeError('argument_invalid', 'a public key is not an Ed25519 key in PEM');
}
