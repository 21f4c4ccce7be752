import { createPublicKey, randomBytes, type KeyObject } from 'node:crypto';
import { replaceFile } from '../../../compiler/io/files/durable.ts';
import { readIfThere } from '../../../compiler/io/files/file.ts';
import { CHECKPOINT_TYPE } from '../../../compiler/schema/audit/checkpoint.ts';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';
import { signEnvelope, signerFromPem, validKeys, type Signer } from '../../../compiler/trust/dsse.ts';
import { keyId } from '../../../compiler/trust/public-key.ts';
import { newSigningKey } from '../../../compiler/trust/root-chain.ts';
import type { SignCheckpoint } from './checkpointer.ts';
import type { VerifyEnvelope } from './verify-chain.ts';

/** A shorter secret could be guessed, or could be truncated by a crash. */
const MIN_KEY_LENGTH = 16;

/**
 * The MAC keys of audit tokens; all instances of a deployment share them. Without `given`, a generated key file next to
 * the audit is used.
 *
 * @param given `VADE_AUDIT_KEY`: comma-separated keys; the first issues, all verify, so that keys can be rotated
 * @throws argument_invalid if one is too short
 */
export function auditKeys(given: string | undefined, state: string): readonly [Buffer, ...Buffer[]] {
  const path = `${state}.key`;
  const own = given === undefined || given === '';
  const text = own ? secretIn(path, () => randomBytes(32).toString('hex')) : given;
  const secrets = own ? [text] : text.split(',').map((it) => it.trim());
  const [first = '', ...others] = secrets;
  if (secrets.some((it) => it.length < MIN_KEY_LENGTH)) {
    const from = own ? path : 'a key in VADE_AUDIT_KEY';
    throw new VadeError('argument_invalid', `${from} has fewer than ${MIN_KEY_LENGTH} characters`);
  }
  return [Buffer.from(first), ...others.map((it) => Buffer.from(it))];
}

/**
 * Reads a private secret file; creates it if it is missing, or empty after a crash.
 *
 * @throws output_failed
 */
function secretIn(path: string, make: () => string): string {
  try {
    const text = readText(path) ?? '';
    if (text !== '') return text;
    const created = make();
    replaceFile(path, created, { mode: 0o600, links: 'follow' });
    return created;
  } catch (error) {
    throw new VadeError('output_failed', `${path} cannot be written: ${messageOf(error)}`);
  }
}

/**
 * The signing key of checkpoints. Without `given`, a generated key file next to the audit is used. The public key is
 * appended to a file there, for verification.
 *
 * @param given `VADE_CHECKPOINT_KEY`, an Ed25519 key in PEM
 * @throws signing_key_required if it is not such a key
 */
export function checkpointSigner(given: string | undefined, state: string): Signer {
  const own = given === undefined || given === '';
  const signer = signerFromPem(own ? secretIn(`${state}.checkpoint.pem`, newSigningKey) : given);
  const path = `${state}.checkpoint.pub`;
  const known = readStateFile(path) ?? '';
  if (!known.includes(signer.publicPem))
    replaceFile(path, known + signer.publicPem, { links: 'follow', limit: MAX_KEYS_BYTES });
  return signer;
}

/** The signer of an existing audit. @throws signing_key_required if its key is missing */
export function knownSigner(given: string | undefined, state: string): Signer {
  const path = `${state}.checkpoint.pem`;
  if (given !== undefined && given !== '') return signerFromPem(given);
  const text = readStateFile(path);
  if (text === null)
    throw new VadeError('signing_key_required', `${path} does not exist, and VADE_CHECKPOINT_KEY is not set`);
  return signerFromPem(text);
}

/** Room for some hundreds of keys. */
const MAX_KEYS_BYTES = 65_536;

function readText(path: string): string | null {
  return readIfThere(path, MAX_KEYS_BYTES)?.toString('utf8') ?? null;
}

/** Reads a file next to an audit; null if absent. @throws output_failed if it cannot be read */
export function readStateFile(path: string): string | null {
  try {
    return readText(path);
  } catch (error) {
    throw new VadeError('output_failed', `${path} cannot be read: ${messageOf(error)}`);
  }
}

/** Signs statements about a chain as DSSE envelopes. */
export function checkpointSignerOf(signer: Signer): SignCheckpoint {
  return (point) => signEnvelope(CHECKPOINT_TYPE, canonicalBytes(point), [signer]).toString();
}

const PUBLIC_KEY = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

/**
 * Verifies envelopes with public keys.
 *
 * @param pems one or more Ed25519 public keys in PEM
 * @throws argument_invalid if there is none
 */
export function envelopeVerifierOf(pems: string): VerifyEnvelope {
  const keys = new Map([...pems.matchAll(PUBLIC_KEY)].map(([pem]) => publicKeyOf(pem)).map((key) => [keyId(key), key]));
  if (keys.size === 0) throw new VadeError('argument_invalid', 'no Ed25519 public key in PEM');
  return (text) => {
    const { payload, keyids } = validKeys(Buffer.from(text), CHECKPOINT_TYPE, keys);
    if (keyids.length === 0) throw new Error('no valid signature');
    return JSON.parse(payload.toString('utf8')) as unknown;
  };
}

function publicKeyOf(pem: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // reported below
  }
  throw new VadeError('argument_invalid', 'a public key is not an Ed25519 key in PEM');
}
