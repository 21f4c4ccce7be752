import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readKey, sha256 } from '../../../compiler/capabilities/gate/open-sealed.ts';

const pair = (type: 'ed25519' | 'ed448') => {
  const { publicKey, privateKey } = type === 'ed448' ? generateKeyPairSync('ed448') : generateKeyPairSync('ed25519');
  return {
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    secret: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: sha256(publicKey.export({ type: 'spki', format: 'der' })),
  };
};

test('a key is the public one of Ed25519 that its fingerprint names', () => {
  const [own, other, foreign] = [pair('ed25519'), pair('ed25519'), pair('ed448')];
  expect(readKey(own.pem, own.fingerprint).type).toBe('public');
  expect(() => readKey(own.pem, other.fingerprint)).toThrow(TypeError);
  expect(() => readKey(foreign.pem, foreign.fingerprint)).toThrow(TypeError);
  expect(() => readKey(own.secret, own.fingerprint)).toThrow(TypeError);
});
