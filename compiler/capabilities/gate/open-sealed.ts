import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { asFields, itemsOf, textOf } from './read-json.ts';

/** A longer file is no envelope. */
export const MAX_SEALED_BYTES = 4 * 1024 * 1024;
/** As `MAX_SIGNATURES` of a bundle, whose module the gate does not load. */
const MAX_SIGNATURES = 64;

export function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** A public key in PEM, if it is the one with this fingerprint. @throws if it is not */
export function readKey(pem: string, fingerprint: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) throw new TypeError('the file has a private key where it needs a public key');
  const key = createPublicKey(pem);
  const isNamed = sha256(key.export({ type: 'spki', format: 'der' })) === fingerprint;
  if (key.asymmetricKeyType !== 'ed25519' || !isNamed)
    throw new TypeError('the public key does not match its fingerprint');
  return key;
}

/** A DSSE envelope before its signatures are verified. */
export interface Sealed {
  readonly payload: Buffer;
  /** sha256 of the envelope as it was written: a checkout may have changed its line ends or indentation. */
  readonly fingerprint: string;
  /** The named keys with a valid signature, each once. */
  readonly signedBy: (keys: ReadonlyMap<string, () => KeyObject>) => string[];
}

/** Reads an envelope. Its payload means nothing until `signedBy` has named a key. @throws if it is none of this type */
export function openSealed(bytes: Buffer, type: string): Sealed {
  if (bytes.length > MAX_SEALED_BYTES) throw new TypeError('the envelope is too long');
  const envelope = asFields(JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')));
  if (textOf(envelope, 'payloadType') !== type) throw new TypeError('the envelope has another payload type');
  const payload = Buffer.from(textOf(envelope, 'payload'), 'base64');
  const signatures = itemsOf(envelope, 'signatures').map(asFields);
  if (signatures.length > MAX_SIGNATURES) throw new TypeError('the envelope has too many signatures');
  const named = signatures.map((it) => ({ keyid: textOf(it, 'keyid'), sig: textOf(it, 'sig') }));
  const claimed = new Map(named.map(({ keyid, sig }) => [keyid, sig]));
  const written = { payload: textOf(envelope, 'payload'), payloadType: type, signatures: named };
  const message = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]);
  const isValid = (sig: string, key: KeyObject) => verify(null, message, key, Buffer.from(sig, 'base64'));
  return {
    payload,
    fingerprint: sha256(`${JSON.stringify(written)}\n`),
    signedBy: (keys) =>
      [...claimed].flatMap(([id, sig]) => {
        const key = keys.get(id);
        return key !== undefined && isValid(sig, key()) ? [id] : [];
      }),
  };
}
