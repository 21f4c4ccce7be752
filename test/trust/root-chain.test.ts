import { describe, expect, test } from 'vitest';
import { VadeError } from '../../compiler/schema/errors.ts';
import { TRUST_ROOT_TYPE, type TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { canonicalBytes, sha256 } from '../../compiler/trust/canonical.ts';
import { signEnvelope, signerFromPem, type Signer } from '../../compiler/trust/dsse.ts';
import {
  assertInForce,
  chainFrom,
  foundRoot,
  newSigningKey,
  readRoot,
  walkChain,
  type SignedRoot,
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

  /** The details of a refusal. */
  const detailsOf = (pinned: SignedRoot, offered: Buffer) => {
    try {
      return void walkChain(pinned, new Map([[1, offered]]));
    } catch (error) {
      return error instanceof VadeError ? error.details : error;
    }
  };
  const rootOf = (signer: Signer, development?: true) =>
    foundRoot(
      { root: signer, bundle: signer },
      { deployment: 'acme', admins: [], ...(development && { development }) },
    );

  test.each([
    ['development, in the wrong folder', rootOf(ada, true), rootOf(eve, true).envelope, 'vade compile --dev'],
    ['development, of a production bundle', rootOf(ada, true), FIRST.envelope, '--trust'],
    ['production, of a development bundle', FIRST, rootOf(eve, true).envelope, '--dev'],
    ['production, of another deployment', FIRST, rootOf(eve).envelope, '--trust'],
    ['production, of a file that is no root', FIRST, Buffer.from('{}'), '--trust'],
  ])('a mismatch under a root for %s names both digests and what to do', (_, pinned, offered, flag) => {
    expect(detailsOf(pinned, offered)).toEqual({
      reason: 'trust_mismatch',
      pinned: sha256(pinned.envelope),
      offered: sha256(offered),
      suggestion: expect.stringContaining(flag) as string,
    });
  });
});

describe('DESIGN §7 trust roots', () => {
  test('a trust root must be signed by its own keys', () => {
    expect(readRoot(FIRST.envelope).root).toEqual(FIRST.root);
    const unsigned = signEnvelope(TRUST_ROOT_TYPE, canonicalBytes(FIRST.root), [eve]);
    expect(reasonOf(() => readRoot(unsigned))).toBe('key_unknown');
  });

  test.each([
    ['a role whose key is missing', { keys: {} }],
    ['a key under another ID than its digest', { keys: { ada: { public: ada.publicPem } } }],
    ['a role without keys', { roles: { root: { keyids: [], threshold: 1 }, bundle: FIRST.root.roles.bundle } }],
    ['a threshold of 0', { roles: { ...FIRST.root.roles, root: { keyids: [ada.keyid], threshold: 0 } } }],
    ['the version 0', { version: 0 }],
    ['an extra member', { extra: true }],
  ])('a trust root with %s is refused', (_, change) => {
    const envelope = signEnvelope(TRUST_ROOT_TYPE, canonicalBytes({ ...FIRST.root, ...change }), [ada]);
    expect(reasonOf(() => readRoot(envelope))).toBe('trust_broken');
  });

  test('a trust root of another payload type is refused', () => {
    const envelope = signEnvelope('application/vnd.in-toto+json', canonicalBytes(FIRST.root), [ada]);
    expect(reasonOf(() => readRoot(envelope))).toBe('payload_type_wrong');
  });

  test.each([
    ['is in force if it never expires', null, '2999-01-01T00:00:00.000Z', true],
    ['is in force until it expires', '2026-05-04T12:00:00Z', '2026-05-04T11:59:59.999Z', true],
    ['is refused at its expiry', '2026-05-04T12:00:00Z', '2026-05-04T12:00:00.000Z', false],
    ['is refused half a second after its expiry', '2026-05-04T12:00:00Z', '2026-05-04T12:00:00.500Z', false],
    ['is refused long after its expiry', '2020-01-01T00:00:00Z', '2026-05-04T12:00:00.000Z', false],
  ])('a trust root %s', (_, expires, now, holds) => {
    const assert = () => {
      assertInForce({ ...FIRST.root, expires }, now);
    };
    if (holds) expect(assert).not.toThrow();
    else expect(reasonOf(assert)).toBe('trust_expired');
  });

  test('a trust root is in force from its valid_from on, until it expires', () => {
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

  test('a first root lists each administrator once, sorted by name, and all public keys', () => {
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

  test('a key without an owner is listed in a first root without an owner', () => {
    expect(FIRST.root.keys).toEqual({ [ada.keyid]: { public: ada.publicPem } });
  });
});
