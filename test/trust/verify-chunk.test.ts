import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Fact } from '../../compiler/schema/bundle/fact.ts';
import { verifyChunk } from '../../compiler/trust/verify-chunk.ts';
import { handbook } from '../io/handbook.ts';
import { NOW, publish } from '../io/published.ts';
import { keysWith, nextRoot, person, staff } from '../support/staff.ts';

const trust = staff([person('ann')]);
const { root } = trust.root;
let envelope: Buffer;
let sharedEnvelope: Buffer;
let facts: readonly Fact[];
let manifest: Buffer;

beforeAll(async () => {
  const { bundle, facts: read, file } = await publish(handbook().path, { trust });
  envelope = bundle.envelope('cto')!.envelope;
  sharedEnvelope = bundle.envelope('shared')!.envelope;
  facts = read();
  manifest = file('cto', 'manifest.json');
});

const held = ({ uri, content }: Fact) => ({ fact_uri: uri, content });
const verdict = (chunk: Parameters<typeof verifyChunk>[0], under = root, by = envelope, now = NOW) => {
  const told = verifyChunk(chunk, by, under, now);
  return told.ok ? told.garden : told.reason;
};

describe('DESIGN §7 an agent verifies a chunk with its garden’s envelope and a trust root', () => {
  test('every fact of the garden verifies', () => {
    expect(new Set(facts.map((it) => verdict(held(it))))).toEqual(new Set(['cto']));
    expect(facts.length).toBeGreaterThan(1);
  });

  test('a text with one character added, removed or changed is refused', () => {
    const [fact] = facts as [Fact];
    fc.assert(
      fc.property(fc.nat(fact.content.length - 1), fc.constantFrom('', '\u200b', 'xx'), (at, put) => {
        const content = fact.content.slice(0, at) + put + fact.content.slice(at + 1);
        expect(verdict({ fact_uri: fact.uri, content })).toBe('digest_mismatch');
      }),
    );
  });

  test('another fact’s text and another URI are refused', () => {
    const [one, other] = facts as [Fact, Fact];
    expect(verdict({ fact_uri: one.uri, content: other.content })).toBe('digest_mismatch');
    expect(verdict({ ...held(one), fact_uri: `${one.uri}0` })).toBe('file_unexpected');
    expect(verdict(held(one), root, sharedEnvelope)).toBe('file_unexpected');
  });

  test('a file of the garden is refused as a chunk', () => {
    expect(verdict({ fact_uri: 'manifest.json', content: manifest.toString('utf8') })).toBe('file_unexpected');
  });

  test('a chunk is refused under a root of another deployment or with other keys', () => {
    const [one] = facts as [Fact];
    expect(verdict(held(one), { ...root, deployment: 'ajax' })).toBe('statement_misplaced');
    expect(verdict(held(one), staff([]).root.root)).toBe('key_unknown');
  });

  test('a chunk is refused under an expired key or an expired root', () => {
    const [one] = facts as [Fact];
    const { keyid, publicPem } = trust.signer;
    const keys = { ...root.keys, [keyid]: { public: publicPem, expires: NOW } };
    expect(verdict(held(one), { ...root, keys })).toBe('key_expired');
    expect(verdict(held(one), { ...root, expires: NOW })).toBe('trust_expired');
    expect(verdict(held(one), { ...root, valid_from: '2031-01-01T00:00:00Z' })).toBe('trust_expired');
  });

  test('a chunk is refused if its key was revoked', () => {
    const [one] = facts as [Fact];
    const grace = person('grace');
    const roles = { ...root.roles, bundle: { keyids: [grace.signer.keyid], threshold: 1 } };
    const next = nextRoot(trust.root, { roles, keys: keysWith(root, grace) }, [trust.signer]);
    expect(verdict(held(one), next.root)).toBe('key_unknown');
  });

  test('a malformed envelope gives a verdict and does not throw', () => {
    const [one] = facts as [Fact];
    expect(verdict(held(one), root, Buffer.from('{}'))).toBe('envelope_malformed');
    expect(verdict(held(one), root, trust.root.envelope)).toBe('payload_type_wrong');
  });

  test('a root that is none gives a verdict and does not throw', () => {
    const [one] = facts as [Fact];
    expect(verdict(held(one), { ...root, roles: null as unknown as typeof root.roles })).toBe('format_unknown');
  });
});
