import { describe, expect, test } from 'vitest';
import { TRUST_ROOT_TYPE, type TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { signEnvelope, signerFromPem, type Signer } from '../../compiler/trust/dsse.ts';
import {
  assertInForce,
  chainFrom,
  foundRoot,
  newSigningKey,
  readRoot,
  walkChain,
} from '../../compiler/trust/root-chain.ts';
import { reasonOf } from '../support/refused.ts';

const [ada, grace, eve] = [1, 2, 3].map(() => signerFromPem(newSigningKey())) as [Signer, Signer, Signer];
const FIRST = foundRoot({ root: ada, bundle: ada }, { deployment: 'acme', admins: [] });

/** The root after `root`, with other keys for roots, in an envelope signed by whom it says. */
function next(root: TrustRoot, change: Partial<TrustRoot>, keys: readonly Signer[], signers: readonly Signer[]) {
  const made: TrustRoot = {
    ...root,
    version: root.version + 1,
    keys: Object.fromEntries(keys.map((it) => [it.keyid, { public: it.publicPem }])),
    roles: {
      root: { keyids: keys.map((it) => it.keyid), threshold: 1 },
      bundle: { keyids: keys.map((it) => it.keyid), threshold: 1 },
    },
    ...change,
  };
  return { root: made, envelope: signEnvelope(TRUST_ROOT_TYPE, canonicalBytes(made), signers) };
}

const offer = (...roots: { root: TrustRoot; envelope: Buffer }[]) =>
  new Map(roots.map((it) => [it.root.version, it.envelope]));

describe('DESIGN §7 the chain of trust roots is walked forward', () => {
  test('the chain leads from any earlier root to the newest successor', () => {
    const second = next(FIRST.root, {}, [grace], [ada, grace]);
    const third = next(second.root, {}, [eve], [grace, eve]);
    const offered = offer(FIRST, second, third);
    for (const pinned of [FIRST, second, third]) expect(walkChain(pinned, offered).root.version).toBe(3);
    expect(chainFrom(FIRST, offered)).toEqual([FIRST, second, third]);
    expect(chainFrom(second, offered)).toEqual([second, third]);
  });

  test('the chain ends at the pinned root if there is no successor', () => {
    expect(walkChain(FIRST, new Map())).toEqual(FIRST);
    expect(chainFrom(FIRST, new Map())).toEqual([FIRST]);
  });

  test.each([
    ['by itself alone', [grace]],
    ['by the one before alone', [ada]],
    ['by somebody else', [eve]],
    ['by nobody', []],
  ])('a root signed %s is refused', (_, signers) => {
    const second = next(FIRST.root, {}, [grace], signers);
    expect(reasonOf(() => walkChain(FIRST, offer(second)))).toBe('key_unknown');
  });

  test('a threshold of the previous root must sign the next root', () => {
    const strict = next(FIRST.root, {}, [ada, grace], [ada, grace]);
    const two = { ...strict.root, roles: { ...strict.root.roles, root: { ...strict.root.roles.root, threshold: 2 } } };
    const second = { root: two, envelope: signEnvelope(TRUST_ROOT_TYPE, canonicalBytes(two), [ada, grace]) };
    const third = next(two, {}, [eve], [ada, eve]);
    expect(reasonOf(() => walkChain(second, offer(third)))).toBe('signatures_missing');
    expect(walkChain(second, offer(next(two, {}, [eve], [ada, grace, eve]))).root.version).toBe(3);
  });

  test('a version cannot be skipped, neither by a gap nor under another number', () => {
    const third = next(FIRST.root, { version: 3 }, [grace], [ada, grace]);
    expect(reasonOf(() => walkChain(FIRST, new Map([[3, third.envelope]])))).toBe('trust_skipped');
    expect(reasonOf(() => walkChain(FIRST, new Map([[2, third.envelope]])))).toBe('trust_broken');
  });

  test('a version cannot be given twice, or go back', () => {
    const again = next(FIRST.root, { version: 1 }, [grace], [ada, grace]);
    expect(reasonOf(() => walkChain(FIRST, new Map([[2, again.envelope]])))).toBe('trust_broken');
  });

  test('a root of another deployment is no successor', () => {
    const second = next(FIRST.root, { deployment: 'ajax' }, [grace], [ada, grace]);
    expect(reasonOf(() => walkChain(FIRST, offer(second)))).toBe('trust_broken');
  });

  test('a development root is no successor of a normal root', () => {
    const second = next(FIRST.root, { development: true }, [grace], [ada, grace]);
    expect(reasonOf(() => walkChain(FIRST, offer(second)))).toBe('trust_broken');
  });

  test('another root with the version of the pinned root is refused', () => {
    const other = foundRoot({ root: eve, bundle: eve }, { deployment: 'acme', admins: [] });
    expect(reasonOf(() => walkChain(FIRST, offer(other)))).toBe('trust_mismatch');
  });
});

describe('DESIGN §7 a trust root', () => {
  test('a trust root must be signed by its own keys', () => {
    expect(readRoot(FIRST.envelope).root).toEqual(FIRST.root);
    const unsigned = signEnvelope(TRUST_ROOT_TYPE, canonicalBytes(FIRST.root), [eve]);
    expect(reasonOf(() => readRoot(unsigned))).toBe('key_unknown');
  });

  test.each([
    ['a role with a key it does not carry', { keys: {} }],
    ['a key under no digest', { keys: { ada: { public: ada.publicPem } } }],
    ['a role without keys', { roles: { root: { keyids: [], threshold: 1 }, bundle: FIRST.root.roles.bundle } }],
    ['a threshold of none', { roles: { ...FIRST.root.roles, root: { keyids: [ada.keyid], threshold: 0 } } }],
    ['a version of none', { version: 0 }],
    ['a member too many', { extra: true }],
  ])('with %s is none', (_, change) => {
    const envelope = signEnvelope(TRUST_ROOT_TYPE, canonicalBytes({ ...FIRST.root, ...change }), [ada]);
    expect(reasonOf(() => readRoot(envelope))).toBe('trust_broken');
  });

  test('a trust root of another payload type is refused', () => {
    const envelope = signEnvelope('application/vnd.in-toto+json', canonicalBytes(FIRST.root), [ada]);
    expect(reasonOf(() => readRoot(envelope))).toBe('payload_type_wrong');
  });

  test.each([
    ['never', null, '2999-01-01T00:00:00.000Z', true],
    ['later', '2026-05-04T12:00:00Z', '2026-05-04T11:59:59.999Z', true],
    ['now', '2026-05-04T12:00:00Z', '2026-05-04T12:00:00.000Z', false],
    ['half a second ago', '2026-05-04T12:00:00Z', '2026-05-04T12:00:00.500Z', false],
    ['long ago', '2020-01-01T00:00:00Z', '2026-05-04T12:00:00.000Z', false],
  ])('that expires %s holds or does not', (_, expires, now, holds) => {
    const assert = () => {
      assertInForce({ ...FIRST.root, expires }, now);
    };
    if (holds) expect(assert).not.toThrow();
    else expect(reasonOf(assert)).toBe('trust_expired');
  });

  test('a trust root is in force from its first instant on, and may expire later', () => {
    const dated = { ...FIRST.root, valid_from: '2026-05-04T12:00:00Z', expires: '2026-06-04T12:00:00Z' };
    const reason = (now: string) =>
      reasonOf(() => {
        assertInForce(dated, now);
      });
    expect(['2026-05-04T11:59:59.999Z', '2026-05-04T12:00:00Z', '2026-06-04T12:00:00Z'].map(reason)).toEqual([
      'trust_expired',
      'believed',
      'trust_expired',
    ]);
  });

  test('a first root lists each administrator once, in the order of their names, and the public keys of all', () => {
    const admins = [
      { entity: 'acme/human/bob', ...grace },
      { entity: 'acme/human/ann', ...eve },
      { entity: 'acme/human/bob', ...ada },
    ];
    const { root, envelope } = foundRoot({ root: ada, bundle: grace }, { deployment: 'acme', admins });
    expect(readRoot(envelope).root).toEqual(root);
    expect(root).toEqual({
      version: 1,
      deployment: 'acme',
      admins: ['acme/human/ann', 'acme/human/bob'],
      valid_from: null,
      expires: null,
      commit_keys: [],
      thresholds: { approval: 1, withdrawal: 1, rollback: 1 },
      keys: {
        [ada.keyid]: { public: ada.publicPem, owner: 'acme/human/bob' },
        [grace.keyid]: { public: grace.publicPem, owner: 'acme/human/bob' },
        [eve.keyid]: { public: eve.publicPem, owner: 'acme/human/ann' },
      },
      roles: {
        root: { keyids: [ada.keyid], threshold: 1 },
        bundle: { keyids: [grace.keyid], threshold: 1 },
      },
    });
  });

  test('a key that nobody owns stands in a first root without an owner', () => {
    expect(FIRST.root.keys).toEqual({ [ada.keyid]: { public: ada.publicPem } });
  });
});
