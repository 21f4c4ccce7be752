import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MAX_SIGNATURES } from '../../compiler/schema/bundle/bundle.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { addSignature } from '../../compiler/trust/add-signature.ts';
import { isAdministrator } from '../../compiler/trust/administrator.ts';
import { byText } from '../../compiler/trust/canonical.ts';
import { claimedKeyIds, openSigned, signEnvelope, signerFromPem, validKeys } from '../../compiler/trust/dsse.ts';
import { keyId, publicKeyOf } from '../../compiler/trust/public-key.ts';
import { newSigningKey } from '../../compiler/trust/root-chain.ts';
import { reasonOf } from '../support/refused.ts';
import { newSigner, person, staff } from '../support/staff.ts';

const pem = newSigningKey();
const signer = signerFromPem(pem);
const { root } = staff([person('ann')]).root;
const under = (keyid: string, key: string): TrustRoot => ({ ...root, keys: { [keyid]: { public: key } } });

describe('DESIGN §7 keys of a trust root', () => {
  test('a public key is read once, under the digest of its bytes', () => {
    const own = under(signer.keyid, signer.publicPem);
    const key = publicKeyOf(own, signer.keyid);
    expect(keyId(key)).toBe(signer.keyid);
    expect(publicKeyOf(own, signer.keyid)).toBe(key);
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  test.each<[string, TrustRoot, string]>([
    ['under the ID of another key', under(signer.keyid, newSigner().publicPem), signer.keyid],
    ['that the root does not have', under(signer.keyid, signer.publicPem), newSigner().keyid],
    ['that is private', under(signer.keyid, pem), signer.keyid],
    ['that cannot be read', under(signer.keyid, 'x'), signer.keyid],
    ['of another algorithm', under(keyId(rsa), rsa.export({ type: 'spki', format: 'pem' }).toString()), keyId(rsa)],
  ])('a trust root with a key %s is trust_broken', (_, of, keyid) => {
    expect(reasonOf(() => publicKeyOf(of, keyid))).toBe('trust_broken');
  });
});

describe('DESIGN §8 administrators', () => {
  test.each<[string, Partial<TrustRoot>, boolean]>([
    ['is an entity that the root names', {}, true],
    ['is not an entity with another spelling', { admins: ['acme/human/Ann'] }, false],
    ['does not exist under a root without administrators', { admins: [] }, false],
    ['is any entity under a development root without administrators', { admins: [], development: true }, true],
    [
      'is no other entity under a development root with administrators',
      { admins: ['acme/human/bob'], development: true },
      false,
    ],
  ])('an administrator %s', (_, over, expected) => {
    expect(isAdministrator({ ...root, ...over }, 'acme/human/ann')).toBe(expected);
  });
});

describe('DESIGN §7 several signatures of one file', () => {
  const TYPE = 'application/vnd.test+json';
  const people = [newSigner(), newSigner(), newSigner()];
  const [first, ...others] = people as [typeof signer, ...(typeof signer)[]];
  const signed = () => others.reduce((bytes, by) => addSignature(bytes, TYPE, by), sign());
  const sign = () => signEnvelope(TYPE, Buffer.from('{"a":1}\n'), [first]);
  const ids = people.map((it) => it.keyid).sort(byText);
  const keys = Object.fromEntries(people.map((it) => [it.keyid, { public: it.publicPem }]));

  test('each signer has one signature, sorted by key, in any order and number of signings', () => {
    expect(claimedKeyIds(signed(), TYPE)).toEqual(ids);
    expect(addSignature(addSignature(signed(), TYPE, first), TYPE, others[0]!)).toEqual(signed());
    const backwards = [...people].reverse().reduce((bytes, by) => addSignature(bytes, TYPE, by), sign());
    expect(backwards).toEqual(signed());
    expect(signed().toString()).toMatch(/^\{"payload":"eyJhIjoxfQo=","payloadType":/);
  });

  test('all signatures count whose keys have not expired', () => {
    const role = { keyids: ids, threshold: 3 };
    const of = { ...root, keys, roles: { ...root.roles, bundle: role } };
    expect(openSigned(signed(), TYPE, of, role, null).payload.toString()).toBe('{"a":1}\n');
    expect([...openSigned(signed(), TYPE, of, role, null).keyids].sort(byText)).toEqual(ids);
    const late = {
      ...of,
      keys: { ...keys, [first.keyid]: { public: first.publicPem, expires: '2030-01-01T00:00:00Z' } },
    };
    const reason = (now: string | null) => reasonOf(() => openSigned(signed(), TYPE, late, role, now));
    expect([reason('2029-12-31T23:59:59Z'), reason('2030-01-01T00:00:00Z'), reason(null)]).toEqual([
      'believed',
      'signatures_missing',
      'believed',
    ]);
  });

  test('a signature that would make the envelope unreadable is refused, and one that replaces another is not', () => {
    const all = Array.from({ length: MAX_SIGNATURES }, () => newSigner());
    const full = all.reduce((bytes, by) => addSignature(bytes, TYPE, by), signEnvelope(TYPE, Buffer.from('{}'), []));
    expect(claimedKeyIds(full, TYPE)).toHaveLength(MAX_SIGNATURES);
    expect(() => addSignature(full, TYPE, newSigner())).toThrow(expect.objectContaining({ code: 'output_failed' }));
    expect(addSignature(full, TYPE, all[5]!)).toEqual(full);
  });

  test('validKeys gives the listed keys whose signatures of an envelope are valid', () => {
    const named = new Map([first, others[0]!].map((it) => [it.keyid, publicKeyOf({ ...root, keys }, it.keyid)]));
    const { payload, keyids } = validKeys(signed(), TYPE, named);
    expect([payload.toString(), keyids.sort(byText)]).toEqual(['{"a":1}\n', [...named.keys()].sort(byText)]);
    const swapped = new Map([...named.keys()].map((id, at) => [id, [...named.values()][1 - at]!]));
    expect(validKeys(signed(), TYPE, swapped).keyids).toEqual([]);
    expect(validKeys(signed(), TYPE, new Map()).keyids).toEqual([]);
  });

  test.each([
    ['payload that is no base64', { payload: 'e30*' }, 'envelope_malformed'],
    ['payload of base64 without its padding', { payload: 'eyJhIjoxfQo' }, 'envelope_malformed'],
    ['payload of base64 with one sign of padding', { payload: 'eyJhIjoxfQo=' }, 'believed'],
    ['payload of base64 with two signs of padding', { payload: 'eyJhIjoxfQ==' }, 'believed'],
    ['payload of base64 that needs none', { payload: 'e30K' }, 'believed'],
    ['another type', { payloadType: 'x' }, 'payload_type_wrong'],
    ['an extra member', { more: 1 }, 'envelope_malformed'],
    ['no list of signatures', { signatures: {} }, 'envelope_malformed'],
  ])('an envelope with %s: %s', (_, over, expected) => {
    const envelope = { ...(JSON.parse(sign().toString()) as object), ...over };
    expect(reasonOf(() => validKeys(Buffer.from(JSON.stringify(envelope)), TYPE, new Map()))).toBe(expected);
    expect(reasonOf(() => validKeys(Buffer.from('{'), TYPE, new Map()))).toBe('envelope_malformed');
  });
});
