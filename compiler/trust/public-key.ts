import { createPublicKey, type KeyObject } from 'node:crypto';
import { refuse } from '../schema/refusals.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { sha256 } from './canonical.ts';

/** The id of a public key: sha256 of its SubjectPublicKeyInfo. */
export function keyId(key: KeyObject): string {
  return sha256(key.export({ type: 'spki', format: 'der' }));
}

/** A cache for each root: verifying a bundle needs the same key a thousand times. */
const parsedKeys = new WeakMap<TrustRoot, Map<string, KeyObject>>();

/** A key of a trust root. @throws bundle_unverified: trust_broken if the key does not match its ID */
export function publicKeyOf(root: TrustRoot, keyid: string): KeyObject {
  const known = parsedKeys.get(root) ?? new Map<string, KeyObject>();
  parsedKeys.set(root, known);
  const key = known.get(keyid) ?? parsePublicKey(keyid, root.keys[keyid]?.public ?? '');
  known.set(keyid, key);
  return key;
}

function parsePublicKey(keyid: string, pem: string): KeyObject {
  try {
    // `createPublicKey` also accepts a private key, which would then be published with the root
    const key = createPublicKey(pem.includes('PRIVATE KEY') ? '' : pem);
    if (key.asymmetricKeyType === 'ed25519' && keyId(key) === keyid) return key;
  } catch {
    // not a key: same error as for a key that does not match its ID
  }
  throw refuse('trust_broken', 'a key of the trust root does not match its ID');
}
