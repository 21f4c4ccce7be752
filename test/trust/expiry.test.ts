import { describe, expect, test } from 'vitest';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { bundlesEndAt, expiringParts } from '../../compiler/trust/expiry.ts';
import { newSigner, staff } from '../support/staff.ts';

const NOW = Date.parse('2026-12-01T00:00:00Z');
const day = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
const [early, late] = [newSigner(), newSigner()];

/** A root in which two keys sign bundles, until these days. */
function rootWith(over: Partial<TrustRoot>, days: readonly (number | null)[] = [null, null], threshold = 1): TrustRoot {
  const { root } = staff([]).root;
  const keys = [early, late].map(({ keyid, publicPem }, at) => {
    const end = days[at] ?? null;
    return [keyid, { public: publicPem, ...(end !== null && { expires: day(end) }) }] as const;
  });
  const bundle = { keyids: [early.keyid, late.keyid], threshold };
  return { ...root, keys: Object.fromEntries(keys), roles: { ...root.roles, bundle }, ...over };
}

describe('DESIGN §7 the expiry of a trust root', () => {
  test('a root and its keys are reported from 30 days before they expire', () => {
    expect(expiringParts(rootWith({ expires: day(31) }, [31, null]), NOW)).toEqual([]);
    const parts = expiringParts(rootWith({ version: 3, expires: day(30) }, [-1, null]), NOW);
    expect(parts).toEqual([
      `trust root 3 expires at ${day(30)}`,
      `key ${early.keyid.slice(0, 12)} expired at ${day(-1)}`,
    ]);
  });

  test('a commit key is reported with its owner', () => {
    const key = { kind: 'ssh' as const, public: 'ssh-ed25519 AAAA', owner: 'acme/human/ann', expires: day(1) };
    expect(expiringParts(rootWith({ commit_keys: [key] }), NOW)).toEqual([
      `the commit key of acme/human/ann expires at ${day(1)}`,
    ]);
  });

  test.each([
    ['never, if nothing of it expires', null, [null, null], 1, Infinity],
    ['with the root', 9, [null, null], 1, 9],
    ['with the last key that is enough', 90, [5, 20], 1, 20],
    ['with the first of two keys that both have to sign', 90, [5, null], 2, 5],
    ['not with a key that another one replaces', null, [-5, null], 1, Infinity],
  ] as const)('bundles under a root end %s', (_, root, keys, threshold, end) => {
    const ends = bundlesEndAt(rootWith({ expires: root === null ? null : day(root) }, keys, threshold));
    expect(ends).toBe(end === Infinity ? Infinity : Date.parse(day(end)));
  });
});
