import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openSealed, readKey, sha256 } from '../../../compiler/capabilities/gate/open-sealed.ts';
import { MAX_SIGNATURES } from '../../../compiler/schema/bundle/bundle.ts';

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

describe('how large an envelope may be', () => {
  const envelope = (signatures: number) => {
    const signed = Array.from({ length: signatures }, (_, at) => ({ keyid: `k${at}`, sig: 'eA==' }));
    return JSON.stringify({ payloadType: 't', payload: 'eA==', signatures: signed });
  };
  const open = (text: string) => openSealed(Buffer.from(text), 't').payload.toString();

  test('as many signatures are read as an approval may have, and an envelope with more is refused', () => {
    expect([open(envelope(0)), open(envelope(MAX_SIGNATURES))]).toEqual(['x', 'x']);
    expect(() => open(envelope(MAX_SIGNATURES + 1))).toThrow(TypeError);
  });

  test('four mebibytes are read, and a longer envelope is refused', () => {
    const most = 4 * 1024 * 1024;
    expect(open(envelope(1).padEnd(most))).toBe('x');
    expect(() => open(envelope(1).padEnd(most + 1))).toThrow(TypeError);
  });
});
